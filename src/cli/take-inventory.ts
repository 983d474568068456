import type { Queryable } from '../db/commands.ts';
import * as commands from '../db/commands.ts';
import { DocketError } from '../errors.ts';
import type { ListedObject, ObjectStore } from '../store/store.ts';

const BATCH = 5_000;

/**
 * Lists everything that lies in a store into docket.inventory_objects, in batches, and says that the list is complete.
 * Returns how many objects it has. Throws what listing the store throws, ZD042 when another list was begun meanwhile, and
 * the signal's reason; the list then stays incomplete, and is compared with nothing.
 */
export async function takeInventory(
  db: Queryable,
  options: {
    store: ObjectStore;
    /** The store as the settings name it. */
    name: string;
    signal: AbortSignal;
    /** Called after each batch. */
    onProgress?: (objects: number) => void;
  },
): Promise<number> {
  const { store, name, signal, onProgress } = options;
  const [begun] = await commands.beginInventory(db, { store: name });
  if (!begun) throw new DocketError('DATABASE_ERROR', 'no list was begun');
  const inventoryId = begun.inventory_id;
  let objects = 0;
  let batch: ListedObject[] = [];

  async function add(): Promise<void> {
    if (batch.length === 0) return;
    const [row] = await commands.addInventoryObjects(db, {
      inventoryId,
      locators: batch.map((object) => object.locator),
      versions: batch.map((object) => object.version),
      sizesBytes: batch.map((object) => String(object.sizeBytes)),
      storedAt: batch.map((object) => object.storedAt.toISOString()),
    });
    objects = Number(row?.object_count ?? objects);
    batch = [];
    onProgress?.(objects);
  }

  for await (const object of store.list({ signal })) {
    batch.push(object);
    if (batch.length === BATCH) await add();
  }
  await add();
  await commands.endInventory(db, { inventoryId });
  return objects;
}
