/** Run by a test as a process of its own: starts on an endless document, says which child does it, and waits to be killed. */
import { pino } from 'pino';
import { createTesseractEngine } from '../../src/ocr/tesseract-engine.ts';
import { LIMITS } from './scratch.ts';

const [file = ''] = process.argv.slice(2);
const log = pino({ level: 'debug' }, pino.destination({ fd: 1, sync: true }));
const engine = createTesseractEngine({ log, children: 1, memoryLimitMb: 1024, limits: LIMITS });
await engine.recognise(file, { signal: new AbortController().signal, deadline: 600_000 });
