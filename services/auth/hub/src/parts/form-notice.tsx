import type { Refusal } from '../api'
import { Notice } from './notice'

/** The error of a form that belongs to no field, with the tries left for a PIN. */
export function FormNotice({ refusal }: { readonly refusal: Refusal | undefined }) {
  if (refusal === undefined) return null
  return (
    <Notice kind="bad">
      <p>{sentenceOf(refusal)}</p>
    </Notice>
  )
}

function sentenceOf({ code, message, details, fields }: Refusal): string {
  const { tries_left: triesLeft = 0, retry_after_seconds: seconds } = details
  const sentences: Readonly<Record<number, string>> = {
    1701: fields.length > 0 ? 'Please check what is marked.' : `${message}.`,
    1804: `Too many tries. Try again in ${wait(seconds ?? 60)}.`,
    3006: 'You signed in again in another tab. Check whose account this is, and try once more.',
    3002: `This is not the PIN. ${triesLeft === 0 ? 'It is locked now.' : left(triesLeft)}`,
    3003: `The PIN is locked after too many wrong tries. ${
      seconds === undefined ? 'Write to support.' : `Try again in ${wait(seconds)}.`
    }`,
  }
  return sentences[code] ?? `${message.replace(/[.]$/, '')}.`
}

function left(tries: number): string {
  return tries === 1 ? 'One try is left.' : `${String(tries)} tries are left.`
}

function wait(seconds: number): string {
  if (seconds < 60) return 'a moment'
  const minutes = Math.ceil(seconds / 60)
  return minutes === 1 ? 'a minute' : `${String(minutes)} minutes`
}
