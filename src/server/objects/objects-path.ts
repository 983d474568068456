/** Where objects are put, below the address of the server. In a file of its own, so that it is known without loading a server. */
export const OBJECTS_PATH = '/objects';
