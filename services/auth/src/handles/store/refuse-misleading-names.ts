import { refuseField } from '@malipo/interface/validate'
import { nameImpersonatedBy } from '../rules/impersonation'
import { mixesScripts } from '../rules/scripts'

/** Fault: invalid_request, when a new username or link handle imitates a provider, a bank or an authority. */
export function refuseMisleadingHandle(field: 'username' | 'handle', handle: string): void {
  const known = nameImpersonatedBy(handle)
  if (known !== undefined) {
    const advice = 'use the name of your own business, with dashes between its words'
    refuseField(field, `reads like ${known}; ${advice}`)
  }
}

/** Fault: invalid_request, when a new display name mixes scripts, or imitates a provider, a bank or an authority. */
export function refuseMisleadingName(name: string): void {
  if (mixesScripts(name)) refuseField('display_name', scriptRule)
  const known = nameImpersonatedBy(name)
  if (known !== undefined) {
    refuseField('display_name', `reads like ${known}; use the name of your own business`)
  }
}

/**
 * Fault: invalid_request, when a new link's title, which payers read beside the amount, mixes scripts or imitates a
 * known name.
 */
export function refuseMisleadingTitle(title: string): void {
  if (mixesScripts(title)) refuseField('title', scriptRule)
  const known = nameImpersonatedBy(title)
  if (known !== undefined) {
    refuseField('title', `reads like ${known}; write what is paid for instead`)
  }
}

const scriptRule = 'mixes letters of different alphabets; write it in one alphabet'
