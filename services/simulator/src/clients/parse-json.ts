/** What the text says, or undefined when it is no JSON: what others send is theirs to spoil. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
