import pg from 'pg';

/** The part of the driver's protocol that COPY … FROM STDIN needs; the driver has it, its types do not say so. */
interface CopyConnection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** Runs a COPY … FROM STDIN statement with this text as its input. */
export function copyIn(
  client: pg.Client | pg.PoolClient,
  statement: string,
  input: string,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const query = new pg.Query(statement, undefined, (error: Error | undefined, done: unknown) =>
      error ? reject(error) : resolve(done),
    );
    Object.assign(query, {
      handleCopyInResponse(connection: CopyConnection) {
        connection.sendCopyFromChunk(Buffer.from(input));
        connection.endCopyFrom();
      },
    });
    client.query(query);
  });
}
