// Ids of acts, made in the browser. The scheme is documented in core/act_ids.py; tests compare the two.

export const UUID7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const MOST_MADE = 0xffff;

/** A new UUIDv7: it identifies repeated sends, and the ids of one tab sort by time. Its last 16 bits are zero:
 * they number the things that an act creates. */
export function uuid7() {
  const bytes = new Uint8Array(16);
  crypto.getRandomValues(bytes.subarray(6, 14));
  let now = Date.now();
  for (let place = 5; place >= 0; place -= 1) {
    bytes[place] = now % 256;
    now = Math.floor(now / 256);
  }
  bytes[6] = 0x70 | (bytes[6] & 0x0f);
  bytes[8] = 0x80 | (bytes[8] & 0x3f);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/** The id of the thing that an act creates as its `number`; 0 is the act's own subject.
 * @type {(actId: string, number: number) => string} */
export function idWithin(actId, number) {
  if (number > MOST_MADE) throw new RangeError(`One act can make at most ${MOST_MADE} edges and nodes.`);
  return actId.slice(0, -4) + number.toString(16).padStart(4, "0");
}
