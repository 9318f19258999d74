import { Ajv2020 } from 'ajv/dist/2020'
import addFormats from 'ajv-formats'

/** A request and its answer. The path is the requested one, with its ids, and not the template of the document. */
export interface Answered {
  readonly method: string
  readonly path: string
  readonly status: number | string
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: unknown
}

interface Response {
  readonly headers: Readonly<Record<string, { readonly $ref: string }>>
}

interface Document {
  readonly paths: Readonly<Record<string, object>>
  readonly components: {
    readonly headers: Readonly<Record<string, { readonly required: boolean }>>
  }
}

/**
 * Compares answers with an OpenAPI document of ours. It reports what an answer has and the document does not describe,
 * and what the document promises and the answer lacks. A request that is no operation of the document is not checked.
 */
export function openDocumented(document: Document): (answered: Answered) => readonly string[] {
  const ajv = new Ajv2020({ strict: false, inlineRefs: false, code: { optimize: false } })
  addFormats(ajv)
  ajv.addSchema(document, 'document')
  const places = Object.keys(document.paths).map((template) => ({
    template,
    shape: new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }))
  return ({ method, path, status, headers, body }) => {
    const place = places.find(({ shape }) => shape.test(path))
    if (place === undefined) return []
    const operations = document.paths[place.template] as Readonly<Record<string, Operation>>
    const operation = operations[method.toLowerCase()]
    if (operation === undefined) return []
    const response = operation.responses[String(status)]
    if (response === undefined) return [`${String(status)} is not documented`]
    const pointer = ['paths', place.template, method.toLowerCase(), 'responses', String(status)]
    const schema = [...pointer, 'content', 'application/json', 'schema'].map(escapePart).join('/')
    const validate = ajv.getSchema(`document#/${schema}`)
    if (validate === undefined) return ['there is no schema']
    void validate(body)
    return [
      ...(validate.errors ?? []).map((error) => `body${error.instancePath} ${error.message ?? ''}`),
      ...missingHeaders(document, response, headers),
    ]
  }
}

interface Operation {
  readonly responses: Readonly<Record<string, Response>>
}

function missingHeaders(
  document: Document,
  response: Response,
  headers: Answered['headers'],
): string[] {
  return Object.keys(response.headers)
    .filter((name) => document.components.headers[name]?.required)
    .filter((name) => headers[name.toLowerCase()] === undefined)
    .map((name) => `${name} is missing`)
}

/** Escapes a part of a JSON Pointer that stands in the fragment of an address. */
function escapePart(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))
}
