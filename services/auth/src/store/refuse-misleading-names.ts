import { refuseField } from '@malipo/interface/validate'
import { impersonationRule, namesProviderOrBank } from '../domain/impersonation'
import { mixesScripts } from '../domain/scripts'

/** Fault: invalid_request, when a new username or link address has the name of a provider or a bank in it. */
export function refuseMisleadingHandle(field: 'username' | 'handle', handle: string): void {
  if (namesProviderOrBank(handle)) refuseField(field, impersonationRule)
}

/** The same of a new display name, which must also be written in one script. */
export function refuseMisleadingName(name: string): void {
  if (mixesScripts(name)) {
    refuseField('display_name', 'mixes letters of different alphabets; write it in one alphabet')
  }
  if (namesProviderOrBank(name)) refuseField('display_name', impersonationRule)
}
