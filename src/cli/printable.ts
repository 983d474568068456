/** Text from files and senders, safe on a terminal: control characters but tab and line breaks are made visible. */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b\u000d-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, '\ufffd');
}
