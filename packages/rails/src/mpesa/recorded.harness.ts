import { recordings } from '../recorded.harness'

export const { names, recorded } = recordings('mpesa')

interface StatementPage {
  readonly Response: readonly (readonly object[])[]
}

/** The recorded page of the statement from its last row on, as the provider answers when all rows are known. */
export function lastRow(): StatementPage {
  const page = JSON.parse(recorded('pull-query-answer').body.toString()) as StatementPage
  return { ...page, Response: [page.Response[0]?.slice(-1) ?? []] }
}
