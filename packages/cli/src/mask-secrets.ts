/** Keys as the hub shows them, by their beginning and last four characters; signing secrets not at all. */
export function maskSecrets(text: string): string {
  return text
    .replaceAll(/(mkp_(?:test|live)_)(\w+)/g, (_, prefix: string, rest: string) => {
      return `${prefix}…${rest.length > 8 ? rest.slice(-4) : ''}`
    })
    .replaceAll(/whsec_[\w+/=]+/g, 'whsec_…')
}
