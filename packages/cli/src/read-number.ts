import { CommandError } from './exit-codes'

/** A whole number within bounds, both included. Throws CommandError with the rule. */
export function readNumber(
  text: string,
  { name, min, max, rule }: { name: string; min: number; max: number; rule: string },
): number {
  const number = Number(text)
  if (/^\d{1,12}$/.test(text) && number >= min && number <= max) return number
  throw new CommandError(`${name} must be ${rule}`)
}
