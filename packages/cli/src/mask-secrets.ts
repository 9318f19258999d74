/** Shortens keys to the beginning and the last four characters, as the hub does, and removes signing secrets. */
export function maskSecrets(text: string): string {
  return text
    .replaceAll(/(mkp_(?:test|live)_)(\w+)/g, (_, prefix: string, rest: string) => {
      return `${prefix}…${rest.length > 8 ? rest.slice(-4) : ''}`
    })
    .replaceAll(/whsec_[\w+/=]+/g, 'whsec_…')
}
