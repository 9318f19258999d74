/** Cells of a table that the deciders read, and what stands in them instead. */
export interface PlantedRule {
  readonly table: object
  readonly changed: object
}

/** Cells of a table by which production decides, to be changed for as long as a mutant runs. */
export function plant<Table extends object>(
  table: Table,
  changed: { readonly [Cell in keyof Table]?: unknown },
): PlantedRule {
  return { table, changed }
}

/** Does something while the rules are changed, and puts them back. */
export function withRules<Answer>(rules: readonly PlantedRule[], task: () => Answer): Answer {
  const sound = rules.map(({ table }) => ({ ...table }))
  for (const { table, changed } of rules) Object.assign(table, changed)
  const answer = task()
  for (const [place, { table }] of rules.entries()) Object.assign(table, sound[place])
  return answer
}
