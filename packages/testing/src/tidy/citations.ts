import type { Rule, SourceFile } from './source-tree'

const code = /\.(?:ts|tsx|mjs|sql|proto|lua)$/
/** `providers.md 1.3`, `providers.md 1.2 to 1.5`, `providers.md, fact 5`. */
const providerCitation = /providers\.md,? ((?:fact )?[0-9.]*[0-9])/g
/** `(interface, Rate limits)`, `(interface, Authentication 6)`, `(interface, Limits; …)`. */
const interfaceCitation = /\(interface, ([A-Z][A-Za-z ]*?)(?: [0-9]+)?[;)]/g

/** Each citation in code names a heading, or a numbered fact, of a document in docs/. */
export const everyCitationResolves: Rule = (files) => {
  const interfaceHeadings = headingsOf(files, 'docs/interface.md')
  const providers = files.find(({ path }) => path === 'docs/providers.md')?.text ?? ''
  const providerHeadings = headingsOf(files, 'docs/providers.md')
  const isInterface = (name: string) =>
    interfaceHeadings.some((heading) => heading.startsWith(name))
  const isProvider = (cited: string) =>
    cited.startsWith('fact ')
      ? providers.includes(`\n| ${cited.slice(5)} |`)
      : providerHeadings.some((heading) => new RegExp(`^${cited}[. ]`).test(heading))
  return files
    .filter(({ path }) => code.test(path))
    .flatMap(({ path, text }) => {
      const cited = (citation: RegExp) =>
        Array.from(text.matchAll(citation), ([, name = '']) => name)
      const unresolved = [
        ...cited(providerCitation).filter((name) => !isProvider(name)),
        ...cited(interfaceCitation).filter((name) => !isInterface(name)),
      ]
      return unresolved.map((name) => `${path}: cites "${name}", which no document in docs/ has`)
    })
}

function headingsOf(files: readonly SourceFile[], document: string): string[] {
  const text = files.find(({ path }) => path === document)?.text ?? ''
  return Array.from(text.matchAll(/^#+ (.+)$/gm), ([, heading = '']) => heading)
}
