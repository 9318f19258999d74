import { openApiDocument, type DocumentOptions } from '@malipo/interface/openapi/document'
import { jsonAnswer } from '@malipo/runtime/answer'
import type { Operation } from '@malipo/runtime/door'

/** `GET /docs/openapi.json`: the interface for machines. It says nothing that is not public, so any page may read it. */
export function docsOpenApi(options: DocumentOptions): Operation {
  const headers = { 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'public, max-age=300' }
  const answer = jsonAnswer(200, openApiDocument(options), headers)
  return () => Promise.resolve(answer)
}
