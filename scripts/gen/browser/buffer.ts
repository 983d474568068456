// Node has it without an import; a browser does not.
export { Buffer } from 'buffer';
