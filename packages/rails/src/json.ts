/** The JSON of a provider's body, or undefined when it is none: cut off, HTML, empty, or not UTF-8. */
export function readJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    // A provider's body is input, so being no JSON is an answer to the question and no fault.
    return undefined
  }
}
