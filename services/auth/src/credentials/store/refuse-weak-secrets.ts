import { refuseField } from '@malipo/interface/validate'
import { isCommonPin } from '../rules/common-pins'
import { isCommonPassword } from './common-passwords'

/**
 * Fault: invalid_request, when a new password is one repeated character, in public lists, or the name of its account.
 */
export function refuseWeakPassword(
  password: string,
  { username, displayName }: { readonly username: string; readonly displayName: string },
): void {
  if (countCharacters(password) < 2) {
    refuseField(
      'password',
      'must have at least two different characters besides spaces; choose four random words',
    )
  }
  if ([username, displayName].some((name) => bareOf(name) === bareOf(password))) {
    refuseField('password', 'must not be your username or your business name; choose another')
  }
  if (isCommonPassword(password)) {
    refuseField(
      'password',
      'is in lists of common passwords; choose another, such as four random words',
    )
  }
}

/** Fault: invalid_request, when a new PIN is one of the most common. */
export function refuseWeakPin(pin: string): void {
  if (isCommonPin(pin)) refuseField('pin', 'is one of the 100 most common PINs; choose another')
}

/** The number of different characters, ignoring white space and case. */
function countCharacters(text: string): number {
  return new Set(text.normalize('NFKC').toLowerCase().replaceAll(/\s/gu, '')).size
}

/** Letters and digits in lower case: `Mama-Mboga 1` becomes `mamamboga1`. */
function bareOf(text: string): string {
  const bare = text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
  return bare === '' ? text : bare
}
