/** As much of JSON Schema as our documents use. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly format?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

/** The rows of a table, one for each field; a field within another has its path, such as `payment.status`. */
export function fieldRows(schema: Schema, of: 'request' | 'answer' = 'answer', at = ''): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = `${at}${name}`
    const required = schema.required?.includes(name) ? 'yes' : 'no'
    const columns = [`\`${path}\``, typeText(field), ...(of === 'request' ? [required] : [])]
    const row = `| ${[...columns, field.description ?? ''].join(' | ')} |`
    return [row, ...[field, ...(field.anyOf ?? [])].flatMap((part) => within(part, of, path))]
  })
}

function within(part: Schema, of: 'request' | 'answer', path: string): string[] {
  return part.items ? fieldRows(part.items, of, `${path}[].`) : fieldRows(part, of, `${path}.`)
}

function typeText(schema: Schema): string {
  const { anyOf, type, format } = schema
  if (anyOf) return [...new Set(anyOf.map(typeText))].join(' or ')
  const values = 'const' in schema ? [schema.const] : schema.enum
  if (values) return values.map((value) => `\`${String(value)}\``).join(', ')
  const name = [type ?? 'object'].flat().map(typeName).join(' or ')
  return `${format === 'date-time' ? 'time' : name}${boundsText(schema)}`
}

function typeName(type: string): string {
  return { string: 'text', array: 'list' }[type] ?? type
}

function boundsText({ minLength, maxLength, minimum }: Schema): string {
  if (maxLength !== undefined)
    return `, ${String(minLength ?? 0)} to ${String(maxLength)} characters`
  return minimum === undefined ? '' : `, at least ${String(minimum)}`
}
