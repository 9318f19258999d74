import { isUtf8 } from 'node:buffer'
import { refuseField } from './validate'

/**
 * JSON as the interface takes it, which is less than `JSON.parse` takes: UTF-8 without a byte order mark, an object at
 * the top, no key twice, no number that a double would change, no text that a database would change, and bounded
 * depth. What two readers could understand differently is refused with 400 1701, never guessed.
 */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json
}

/** Our bodies are flat; four levels leave room for a list of records and none for a bomb. */
const depthMax = 4

interface Cursor {
  readonly text: string
  readonly ofLines: readonly string[]
  at: number
}

const space = /[ \t\n\r]*/y
const stringToken = /"(?:[^"\\]|\\.)*"/sy
const stringShape = /^"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"$/
const numberToken = /-?\d[\d.eE+-]*/y
/** Fractions and exponents are refused too: no field of the interface has one, and `1e3` hides its size. */
const integerShape = /^(?:0|-?[1-9]\d{0,15})$/
const wordToken = /true|false|null/y
/** C0 controls and DEL: Postgres cannot keep a NUL, and no name has the others. */
const control = /[\u0000-\u001f\u007f]/
/** The control characters that a text of several lines may have. */
const lineEnd = /[\t\r\n]/g
/** Half of a surrogate pair is no text: Postgres would silently keep U+FFFD instead of it. */
const loneSurrogate = /\p{Surrogate}/u

/**
 * Reads one object from the bytes of a body, whose fields `ofLines` may have tabs and line breaks. Fault:
 * invalid_request, with where and why.
 */
export function parseStrictJson(bytes: Uint8Array, ofLines: readonly string[] = []): JsonObject {
  if (!isUtf8(bytes)) return refuseField('body', 'must be UTF-8')
  const cursor: Cursor = { text: Buffer.from(bytes).toString('utf8'), ofLines, at: 0 }
  skipSpace(cursor)
  if (cursor.text[cursor.at] !== '{') return refuseField('body', 'must be a JSON object')
  const object = readObject(cursor, [])
  skipSpace(cursor)
  if (cursor.at !== cursor.text.length) refuseField('body', 'must end after the JSON object')
  return object
}

function readValue(cursor: Cursor, path: readonly string[]): Json {
  switch (cursor.text[cursor.at] ?? '') {
    case '{':
      return readObject(cursor, path)
    case '[':
      return readArray(cursor, path)
    case '"':
      return readString(cursor, path)
    default:
      return readScalar(cursor, path)
  }
}

function readObject(cursor: Cursor, path: readonly string[]): JsonObject {
  // Without a prototype, `__proto__` is a key like any other, and the schema refuses it as an unknown field.
  const object = Object.create(null) as Record<string, Json>
  readItems(cursor, path, '}', () => {
    if (cursor.text[cursor.at] !== '"') refuseField(place(path), 'must have keys in double quotes')
    const key = readString(cursor, path)
    const keyPath = [...path, key]
    if (Object.hasOwn(object, key)) refuseField(place(keyPath), 'must be given once')
    skipSpace(cursor)
    if (cursor.text[cursor.at] !== ':') refuseField(place(keyPath), 'must be followed by a colon')
    cursor.at += 1
    skipSpace(cursor)
    object[key] = readValue(cursor, keyPath)
  })
  return object
}

function readArray(cursor: Cursor, path: readonly string[]): readonly Json[] {
  const items: Json[] = []
  readItems(cursor, path, ']', () => {
    items.push(readValue(cursor, [...path, String(items.length)]))
  })
  return items
}

/** Reads what stands between brackets, comma by comma; the cursor stands on the opening one. */
function readItems(
  cursor: Cursor,
  path: readonly string[],
  end: '}' | ']',
  item: () => void,
): void {
  if (path.length >= depthMax) refuseField(place(path), 'must not be nested this deep')
  cursor.at += 1
  skipSpace(cursor)
  if (cursor.text[cursor.at] !== end) {
    item()
    skipSpace(cursor)
    while (cursor.text[cursor.at] === ',') {
      cursor.at += 1
      skipSpace(cursor)
      item()
      skipSpace(cursor)
    }
  }
  if (cursor.text[cursor.at] !== end)
    refuseField('body', `must be JSON: ${end} or a comma is missing`)
  cursor.at += 1
}

function readString(cursor: Cursor, path: readonly string[]): string {
  const token = take(cursor, stringToken)
  if (token === undefined || !stringShape.test(token))
    return refuseField(place(path), 'must be a JSON string')
  const text = JSON.parse(token) as string
  const line = cursor.ofLines.includes(place(path)) ? text.replaceAll(lineEnd, '') : text
  if (control.test(line)) refuseField(place(path), 'must not have control characters')
  if (loneSurrogate.test(text)) refuseField(place(path), 'must be whole Unicode characters')
  return text
}

function readScalar(cursor: Cursor, path: readonly string[]): Json {
  const word = take(cursor, wordToken)
  if (word !== undefined) return JSON.parse(word) as boolean | null
  const token = take(cursor, numberToken)
  if (token === undefined) return refuseField(place(path), 'must be a JSON value')
  const number: unknown = integerShape.test(token) ? JSON.parse(token) : undefined
  if (Number.isSafeInteger(number)) return number as number
  return refuseField(place(path), 'must be a whole number within 2^53, in plain digits')
}

function skipSpace(cursor: Cursor): void {
  take(cursor, space)
}

function take(cursor: Cursor, token: RegExp): string | undefined {
  token.lastIndex = cursor.at
  const found = token.exec(cursor.text)?.[0]
  cursor.at += found?.length ?? 0
  return found
}

function place(path: readonly string[]): string {
  return path.length === 0 ? 'body' : path.join('.')
}
