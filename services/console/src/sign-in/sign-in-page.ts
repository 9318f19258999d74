import type { Operation } from '@malipo/runtime/handler-factory'
import { type Html, html } from '@malipo/web/html'
import { textField } from '@malipo/web/fields'
import { personOf } from '../operators/person'
import { pageAnswer } from '../web/page-frame'
import type { Challenges } from './challenges'
import { type LimitTriesDeps, openLimitTries } from './limit-tries'
import { sessionTokenOf } from './session-cookie'
import { newPersonOf, type Sessions } from './sessions'

/** `GET /sign-in`: first at the company's identity provider, if one is set, and then by the key in this browser. */
export function signInPage(
  deps: LimitTriesDeps & {
    readonly sessions: Sessions
    readonly challenges: Challenges
    readonly needsSubject: boolean
  },
): Operation {
  const { sessions, challenges, needsSubject } = deps
  const limitTries = openLimitTries(deps, 'sign-in page')
  return async (request, response) => {
    limitTries(request)
    const subject = newPersonOf(await sessions.find(sessionTokenOf(request)))
    const isCompanyNext = needsSubject && subject === undefined
    const main = isCompanyNext ? atCompany() : withKey(await challenges.make(), subject)
    return pageAnswer(response, { title: 'Sign in', main })
  }
}

function atCompany(): Html {
  return html`<main class="way-in" data-screen="company">
    <h1>Operations console</h1>
    <p>First your company account, then the operator's key in this browser.</p>
    <a class="button" href="/sign-in/company">Sign in with your company account</a>
  </main>`
}

function withKey(challenge: string, subject: string | undefined): Html {
  const person = subject === undefined ? '' : personOf(subject)
  return html`<main
    class="way-in"
    data-screen="key"
    data-challenge="${challenge}"
    data-subject="${person}"
  >
    <h1>Operations console</h1>
    ${
      subject !== undefined &&
      html`<p>Signed in at your company as <strong class="wrap">${subject}</strong>.</p>`
    }
    <div class="notice bad" role="alert" data-refusal hidden tabindex="-1"></div>
    <noscript
      ><p class="notice bad">
        The console needs JavaScript: acts are signed in the browser.
      </p></noscript
    >
    <section class="card" data-part="with-key" hidden>
      <h2>Your key is in this browser</h2>
      <p>
        It is the key of <strong data-own-name></strong>, <code class="wrap" data-own-id></code>.
      </p>
      <button type="button" class="button" data-do="sign-in">Sign in</button>
    </section>
    <form class="card" data-part="without-key" hidden>
      <h2>No key in this browser yet</h2>
      <p>
        The key is made here and cannot leave this browser. Each act is signed with it, and the
        ledger accepts no act without.
      </p>
      ${textField({
        name: 'name',
        label: 'Your name as an operator',
        hint: '2 to 32 letters a to z, digits, dots and dashes. Others see it beside what you did.',
      })}
      <button type="submit" class="button">Make a key</button>
    </form>
    <section class="card" data-part="enrolment" hidden>
      <h2>Your key is not enrolled yet</h2>
      <p>
        Two operators enrol it: give them this line by a way on which they know your voice or face.
        One enters it under Operators, another approves.
      </p>
      <p><code class="secret" data-enrolment></code></p>
      <button type="button" class="button quiet" data-do="try-again">I have been enrolled</button>
    </section>
    <p class="soft">
      A lost browser is a lost key: two others retire it under Operators, and a new one is enrolled.
    </p>
  </main>`
}
