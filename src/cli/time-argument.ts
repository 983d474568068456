import { z } from 'zod';

/** A time as a person writes it. */
export const timeArgument = z.coerce.date('expected a time such as 2026-03-01T09:30:00Z');
