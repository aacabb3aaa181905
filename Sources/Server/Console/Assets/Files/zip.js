// A zip of files as they are, without compression. The server takes a folder in this form.

const table = new Uint32Array(256).map((_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

async function checksum(file) {
  let value = 0xffffffff;
  const reader = file.stream().getReader();
  for (;;) {
    const { done, value: bytes } = await reader.read();
    if (done) return (value ^ 0xffffffff) >>> 0;
    for (const byte of bytes) value = table[(value ^ byte) & 0xff] ^ (value >>> 8);
  }
}

function record(size, fields) {
  const view = new DataView(new ArrayBuffer(size));
  let place = 0;
  for (const [bytes, value] of fields) {
    bytes === 2 ? view.setUint16(place, value, true) : view.setUint32(place, value, true);
    place += bytes;
  }
  return view.buffer;
}

/** A Blob with the zip of these files, by their plain names. */
export async function zipOf(files) {
  const [parts, directory] = [[], []];
  let offset = 0;
  let directorySize = 0;
  for (const file of files) {
    const name = new TextEncoder().encode(file.name);
    const crc = await checksum(file);
    // Version 2.0, names in UTF-8, stored, the first day that the format has.
    const common = [[2, 20], [2, 0x0800], [2, 0], [2, 0], [2, 0x21], [4, crc], [4, file.size], [4, file.size], [2, name.length], [2, 0]];
    parts.push(record(30, [[4, 0x04034b50], ...common]), name, file);
    directory.push(record(46, [[4, 0x02014b50], [2, 20], ...common, [2, 0], [2, 0], [2, 0], [4, 0], [4, offset]]), name);
    offset += 30 + name.length + file.size;
    directorySize += 46 + name.length;
    if (offset > 0xfff00000) throw new Error("The folder is larger than the 4 GB that a zip can hold.");
  }
  const count = files.length;
  const end = record(22, [[4, 0x06054b50], [2, 0], [2, 0], [2, count], [2, count], [4, directorySize], [4, offset], [2, 0]]);
  return new Blob([...parts, ...directory, end]);
}
