import { errors, type Reason } from '@malipo/kernel/errors'
import { makePage, type Page } from './page'
import { remedies } from './remedies'

const reasons = Object.keys(errors) as Reason[]

/** `/docs/errors`: every code, from the table that the services answer by. */
export function errorsPage(): Page {
  const rowsOf = (wanted: (code: number) => boolean) =>
    reasons
      .map((reason) => errors[reason])
      .filter(({ code }) => wanted(code))
      .map(({ code, http, description, retry }) => {
        const link = `[${String(code)}](errors/${String(code)}.md)`
        return `| ${link} | ${String(http)} | ${description} | ${retry ? 'yes' : 'no'} |`
      })
  const head = ['| Code | HTTP | Meaning | Retry |', '|---|---|---|---|']
  return makePage(
    'errors',
    `# Errors

Every refusal has the same body: a \`code\` to decide by, a \`description\` for you, and a \`request_id\` for us.

\`\`\`json
{
  "ok": false,
  "code": 1701,
  "description": "The request is not valid",
  "request_id": "4bf92f35-77b3-4da6-a3ce-929d0e0e4736",
  "errors": [{ "path": "amount", "message": "must be an integer, not text" }]
}
\`\`\`

Decide by \`code\`, never by \`description\`: texts may become better. \`errors\` comes with 1701 only. A request that may be
retried needs the same \`Idempotency-Key\` as before, and the pause that \`Retry-After\` names.

## Codes of the API

${[...head, ...rowsOf((code) => code < 3_000)].join('\n')}

## Codes of the hub

The merchant API and the payer routes never answer these.

${[...head, ...rowsOf((code) => code >= 3_000)].join('\n')}
`,
  )
}

/** `/docs/errors/2784`: one page for each code. */
export function errorPages(): readonly Page[] {
  return reasons.map((reason) => {
    const { code, http, description, retry } = errors[reason]
    return makePage(
      `errors/${String(code)}`,
      `# ${String(code)}: ${description}

HTTP ${String(http)}. ${retry ? 'The same request may succeed later: retry it.' : 'The same request fails again: change it first.'}

## Why it comes

${remedies[reason].why}

## What to do

${remedies[reason].help}

[All codes](../errors.md)
`,
    )
  })
}
