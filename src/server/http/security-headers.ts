import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';

/** Sets what tells browsers to do as little as possible with an answer: nothing of it is a page, but for the query page. */
export function createSecurityHeaders(): (request: IncomingMessage, response: ServerResponse) => void {
  const set = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
    },
    referrerPolicy: { policy: 'no-referrer' },
    // Of the host that a proxy with TLS makes public; its neighbours are not ours.
    strictTransportSecurity: { includeSubDomains: false },
  });
  return (request, response) => {
    response.setHeader('cache-control', 'no-store');
    set(request, response, (error) => {
      if (error !== undefined) throw error as Error;
    });
  };
}

/** Lets the query page, whose parts all come from here, run its scripts and ask. */
export function allowIde(response: ServerResponse): void {
  response.setHeader(
    'content-security-policy',
    [
      "default-src 'none'",
      "script-src 'self' 'unsafe-inline'",
      "worker-src 'self' blob:",
      "style-src 'self' 'unsafe-inline'",
      "img-src 'self' data:",
      "font-src 'self' data:",
      "connect-src 'self'",
      "frame-ancestors 'none'",
    ].join('; '),
  );
}
