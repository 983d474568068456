import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

const ITERATIONS = 4096;

/** A password of 192 random bits, in characters that need no escaping in a connection string. */
export function newPassword(): string {
  return randomBytes(24).toString('base64url');
}

/**
 * What Postgres stores of an ASCII password (SCRAM-SHA-256, RFC 5802 and 7677). Given in its place, so that the password
 * itself never reaches the server, its log or its statistics.
 */
export function scramVerifier(password: string, salt: Uint8Array = randomBytes(16)): string {
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256');
  const keyed = (text: string) => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(keyed('Client Key')).digest('base64');
  const serverKey = keyed('Server Key').toString('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${Buffer.from(salt).toString('base64')}$${storedKey}:${serverKey}`;
}
