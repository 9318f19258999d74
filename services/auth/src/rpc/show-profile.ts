import type { Profile as WireProfile } from '@malipo/contracts/proto/accounts/v1/account_service'
import type { Profile } from '../domain/account'

export function showProfile({ socialLinks, ...profile }: Profile): WireProfile {
  return { ...profile, socialLinks: [...socialLinks] }
}
