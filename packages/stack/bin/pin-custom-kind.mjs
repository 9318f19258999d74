// Keeps the schema of a kind that an operator brings to a cluster, for the test of our manifests:
//   node packages/stack/bin/pin-custom-kind.mjs crd.yaml https://github.com/OWNER/NAME/blob/COMMIT/crd.yaml v1
import { readFileSync, writeFileSync } from 'node:fs'
import { parseAllDocuments } from 'yaml'

const [path, source, version] = process.argv.slice(2)
const definition = parseAllDocuments(readFileSync(path, 'utf8'))
  .map((document) => document.toJS())
  .find((read) => read?.kind === 'CustomResourceDefinition')
const { group, names, versions } = definition.spec
const { openAPIV3Schema } = versions.find(({ name }) => name === version).schema
const kind = {
  source,
  license: 'Apache-2.0',
  apiVersion: `${group}/${version}`,
  kind: names.kind,
  spec: withoutTexts(openAPIV3Schema.properties.spec),
}
const file = new URL(`../fixtures/custom-kinds/${names.singular}.json`, import.meta.url)
writeFileSync(file, `${JSON.stringify(kind)}\n`)

/** Removes descriptions, which are most of a schema, and validation expressions, which only a cluster evaluates. */
function withoutTexts(schema) {
  const { description: _, 'x-kubernetes-validations': __, ...kept } = schema
  for (const name of ['items', 'additionalProperties']) {
    if (typeof kept[name] === 'object') kept[name] = withoutTexts(kept[name])
  }
  if (kept.properties !== undefined) {
    const entries = Object.entries(kept.properties)
    kept.properties = Object.fromEntries(entries.map(([name, one]) => [name, withoutTexts(one)]))
  }
  return kept
}
