import { refuseField } from '@malipo/interface/validate'
import { impersonationRule, namesProviderOrBank } from '../domain/impersonation'
import { mixesScripts } from '../domain/scripts'

/** Fault: invalid_request, when a new username or link address has the name of a provider or a bank in it. */
export function refuseMisleadingHandle(field: 'username' | 'handle', handle: string): void {
  if (namesProviderOrBank(handle)) refuseField(field, impersonationRule)
}

/** The same of a new display name, which must also be written in one script. */
export function refuseMisleadingName(name: string): void {
  if (mixesScripts(name)) refuseField('display_name', scriptRule)
  if (namesProviderOrBank(name)) refuseField('display_name', impersonationRule)
}

/** The same of the title of a new link, which payers read beside the amount. */
export function refuseMisleadingTitle(title: string): void {
  if (mixesScripts(title)) refuseField('title', scriptRule)
  if (namesProviderOrBank(title)) {
    refuseField(
      'title',
      'has the name of a payment provider or a bank in it; write what is paid for instead',
    )
  }
}

const scriptRule = 'mixes letters of different alphabets; write it in one alphabet'
