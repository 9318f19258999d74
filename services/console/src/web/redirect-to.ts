import type { Answer, AnswerHeaders } from '@malipo/runtime/answer'

export function redirectTo(location: string, headers: AnswerHeaders = {}): Answer {
  return {
    status: 303,
    headers: { Location: location, 'Cache-Control': 'no-store', ...headers },
    body: '',
  }
}
