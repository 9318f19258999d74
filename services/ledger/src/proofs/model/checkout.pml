/*
 * One checkout, two prompts and the Pay Bill menu, in every order there is. Each d_step is one operation: one
 * transaction, behind the locks of the checkout and the attempt. `npm run prove` checks it whole, and then each MUTANT.
 */

#ifndef MUTANT
#define MUTANT 0
#endif

/* tables: made of the rules of intents, evidence and journal */
mtype = {
    created,
    reserved,
    submitted,
    pending,
    completed,
    failed,
    expired,
    reversed,
    conflict,
    merchant,
    suspense_duplicate,
    suspense_mismatch,
    suspense_unmatched,
    do_settle,
    do_await_receipt,
    do_decline,
    do_corroborate,
    do_evaluate_absence,
    do_ask,
    do_wait,
    do_keep,
    do_contradict,
    do_park,
    do_remember
};
#define born_accepted created
#define born_matched completed
#define after_reserved(from) \
    (from == created -> reserved : \
    (from == reserved -> reserved : \
    (from == submitted -> submitted : \
    (from == pending -> pending : \
    (from == completed -> completed : \
    (from == failed -> failed : \
    (from == expired -> expired : \
    (from == reversed -> reversed : \
    conflict))))))))
#define after_withheld(from) \
    (from == created -> failed : \
    (from == reserved -> failed : \
    (from == submitted -> conflict : \
    (from == pending -> conflict : \
    (from == completed -> conflict : \
    (from == failed -> failed : \
    (from == expired -> expired : \
    (from == reversed -> conflict : \
    conflict))))))))
#define after_submitted(from) \
    (from == created -> conflict : \
    (from == reserved -> submitted : \
    (from == submitted -> submitted : \
    (from == pending -> pending : \
    (from == completed -> completed : \
    (from == failed -> failed : \
    (from == expired -> expired : \
    (from == reversed -> reversed : \
    conflict))))))))
#define after_acknowledged(from) \
    (from == created -> conflict : \
    (from == reserved -> conflict : \
    (from == submitted -> pending : \
    (from == pending -> pending : \
    (from == completed -> completed : \
    (from == failed -> failed : \
    (from == expired -> expired : \
    (from == reversed -> reversed : \
    conflict))))))))
#define after_refused(from) \
    (from == created -> conflict : \
    (from == reserved -> conflict : \
    (from == submitted -> failed : \
    (from == pending -> conflict : \
    (from == completed -> conflict : \
    (from == failed -> failed : \
    (from == expired -> expired : \
    (from == reversed -> conflict : \
    conflict))))))))
#define after_confirmed(from) \
    (from == created -> conflict : \
    (from == reserved -> conflict : \
    (from == submitted -> completed : \
    (from == pending -> completed : \
    (from == completed -> completed : \
    (from == failed -> completed : \
    (from == expired -> completed : \
    (from == reversed -> reversed : \
    conflict))))))))
#define after_declined(from) \
    (from == created -> conflict : \
    (from == reserved -> conflict : \
    (from == submitted -> failed : \
    (from == pending -> failed : \
    (from == completed -> conflict : \
    (from == failed -> failed : \
    (from == expired -> expired : \
    (from == reversed -> conflict : \
    conflict))))))))
#define after_lapsed(from) \
    (from == created -> expired : \
    (from == reserved -> expired : \
    (from == submitted -> expired : \
    (from == pending -> expired : \
    (from == completed -> completed : \
    (from == failed -> failed : \
    (from == expired -> expired : \
    (from == reversed -> reversed : \
    conflict))))))))
#define after_reversed(from) \
    (from == created -> conflict : \
    (from == reserved -> conflict : \
    (from == submitted -> conflict : \
    (from == pending -> conflict : \
    (from == completed -> reversed : \
    (from == failed -> conflict : \
    (from == expired -> conflict : \
    (from == reversed -> reversed : \
    conflict))))))))
#define effect_E4_receipt do_settle
#define effect_E4_paid do_await_receipt
#define effect_E4_declined do_corroborate
#define effect_E4_declined_after_paid do_contradict
#define effect_E4_not_found do_evaluate_absence
#define effect_E4_undecided do_wait
#define effect_E4_unreadable do_park
#define effect_E3_receipt do_settle
#define effect_E3_paid do_ask
#define effect_E3_declined do_decline
#define effect_E3_declined_after_paid do_contradict
#define effect_E3_not_found do_keep
#define effect_E3_undecided do_keep
#define effect_E3_unreadable do_park
#define effect_E2_receipt do_ask
#define effect_E2_paid do_ask
#define effect_E2_declined do_ask
#define effect_E2_declined_after_paid do_keep
#define effect_E2_not_found do_keep
#define effect_E2_undecided do_keep
#define effect_E2_unreadable do_park
#define effect_E1_receipt do_keep
#define effect_E1_paid do_keep
#define effect_E1_declined do_keep
#define effect_E1_declined_after_paid do_keep
#define effect_E1_not_found do_keep
#define effect_E1_undecided do_keep
#define effect_E1_unreadable do_park
#define denial_young_none do_keep
#define denial_young_other do_keep
#define denial_young_same_too_soon do_keep
#define denial_young_same do_keep
#define denial_young_hinted do_decline
#define denial_old_none do_remember
#define denial_old_other do_remember
#define denial_old_same_too_soon do_keep
#define denial_old_same do_decline
#define denial_old_hinted do_decline
#define absence_prompt_none do_wait
#define absence_prompt_declined do_wait
#define absence_prompt_paid do_wait
#define absence_page_none do_wait
#define absence_page_declined do_decline
#define absence_page_paid do_wait
#define disposition_unpaid_exact_open merchant
#define disposition_unpaid_exact_frozen suspense_unmatched
#define disposition_unpaid_differs_open suspense_mismatch
#define disposition_unpaid_differs_frozen suspense_mismatch
#define disposition_paid_exact_open suspense_duplicate
#define disposition_paid_exact_frozen suspense_duplicate
#define disposition_paid_differs_open suspense_duplicate
#define disposition_paid_differs_frozen suspense_duplicate
/* end of tables */

#define ATTEMPTS 2
/* Receipts 0 and 1 are those of the prompts, 2 is that of the menu. Rows 2 to 4 begin with the receipt row - ATTEMPTS. */
#define RECEIPTS 3
#define ROWS (ATTEMPTS + RECEIPTS)
#define NEWS 3

#define isInFlight(row) (status[row] == created || status[row] == reserved || status[row] == submitted || status[row] == pending)

mtype status[ROWS];
byte holder[RECEIPTS];     /* the row that a receipt settled */
byte postings[RECEIPTS];
bool toMerchant[RECEIPTS];
byte refunds[RECEIPTS];
bool moved[RECEIPTS];      /* by the provider's book */
bool isOdd;                /* the menu's payment has another amount */
byte rings[ATTEMPTS];      /* prompts that the payer's phone has shown */
bool isReported[ATTEMPTS]; /* reported as paid, and not posted */
bool isHeldOpen[ATTEMPTS]; /* past its deadline, for the first report */
bool isDeniedOnce[ATTEMPTS];
byte credits;              /* payments of the checkout to its merchant */
bool isTimeUp;
bool isQuiet;              /* nothing new happens any more */

/* Used and cleared within one step. */
mtype to;
mtype effect;

/* The rules, and those that a mutant changes. */
#define confirmedFrom(from) \
    (MUTANT == 6 && from == expired -> conflict : \
    (MUTANT == 7 && from == failed -> conflict : after_confirmed(from)))
#define declinedFrom(from) (MUTANT == 5 && from == completed -> failed : after_declined(from))
#define lapsedFrom(from) (MUTANT == 8 && from == completed -> expired : after_lapsed(from))
#define acknowledgedFrom(from) (MUTANT == 13 && from == expired -> pending : after_acknowledged(from))

/* Does what the trigger enforces, and checks every step: a state with money is left only by giving the money back. */
inline become(which, after) {
    assert(after != conflict);
    assert(status[which] != completed || after == completed || after == reversed);
    assert(status[which] != reversed || after == reversed);
    assert((status[which] != failed && status[which] != expired) || after == status[which] || after == completed);
    assert(after != failed || status[which] == failed || !isReported[which]);
    status[which] = after;
    assert(isInFlight(0) + isInFlight(1) <= 1)
}

/* Clears what is of use only while an attempt is in flight. */
inline forget(ended) {
    isDeniedOnce[ended] = false;
    isHeldOpen[ended] = false
}

/* StartIntent */
inline start(row) {
    d_step {
        if
        :: credits == 0 && (MUTANT == 3 || (!isInFlight(0) && !isInFlight(1))) && !isTimeUp ->
            status[row] = born_accepted;
            become(row, after_reserved(status[row]))
        :: else
        fi
    }
}

#define dispositionOf(isPaid, isExact) \
    (isPaid -> \
    (isExact -> disposition_paid_exact_open : disposition_paid_differs_open) : \
    (isExact -> disposition_unpaid_exact_open : disposition_unpaid_differs_open))

/* Posts a receipt, once: the first exact payment goes to the merchant, and any other money to suspense. */
inline post(paper, keeper, whole) {
    postings[paper]++;
    assert(postings[paper] == 1);
    holder[paper] = keeper;
    if
    :: dispositionOf((credits > 0 && MUTANT != 4), (whole || MUTANT == 14)) == merchant ->
        toMerchant[paper] = true;
        credits++;
        assert(whole && credits == 1)
    :: else
    fi
}

/* settle: the one entry point for money */
inline settle(row, receipt, exact) {
    to = confirmedFrom(status[row]);
    if
    :: to == conflict
    :: to != conflict && postings[receipt] > 0 && MUTANT != 1
    :: to != conflict && (postings[receipt] == 0 || MUTANT == 1) ->
        if
        :: status[row] == completed || status[row] == reversed ->
            post(receipt, ATTEMPTS + receipt, exact);
            status[ATTEMPTS + receipt] = born_matched
        :: else ->
            post(receipt, row, exact);
            become(row, to);
            forget(row);
            isReported[row] = false
        fi
    fi;
    to = 0
}

/* settleUnrequested */
inline settleMenu(receipt, exact) {
    d_step {
        if
        :: postings[receipt] == 0 || MUTANT == 1 ->
            post(receipt, ATTEMPTS + receipt, exact);
            status[ATTEMPTS + receipt] = born_matched
        :: else
        fi
    }
}

inline decline(denied) {
    to = declinedFrom(status[denied]);
    if
    :: to == conflict
    :: else -> become(denied, to); forget(denied)
    fi;
    to = 0
}

/* "Paid" without a receipt, or by a message that settles nothing. The first report holds the attempt open. */
inline report(row) {
    if
    :: status[row] != completed && status[row] != reversed ->
        isHeldOpen[row] = isHeldOpen[row] || (isInFlight(row) && !isReported[row]);
        isReported[row] = true;
        isDeniedOnce[row] = false
    :: else
    fi
}

/* The answer to a status query denies an old prompt: two such answers have to agree. */
#define denialFrom(row) (isDeniedOnce[row] -> denial_old_same : denial_old_none)
inline corroborate(row) {
    if
    :: denialFrom(row) == do_decline -> decline(row)
    :: denialFrom(row) == do_remember && isInFlight(row) -> isDeniedOnce[row] = true
    :: else
    fi
}

/* The answer to a status query does not find the prompt. */
#define absenceFrom(row) \
    (MUTANT == 16 -> do_decline : \
    (isReported[row] -> absence_prompt_paid : \
    (isDeniedOnce[row] -> absence_prompt_declined : absence_prompt_none)))
inline evaluateAbsence(row) {
    if
    :: absenceFrom(row) == do_decline -> decline(row)
    :: else -> isDeniedOnce[row] = false
    fi
}

/* decideEvidence: what a message does, by the cell of its strength and of what it says. */
inline apply(row, receipt, exact, cell) {
    effect = cell;
    if
    :: effect == do_settle -> settle(row, receipt, exact)
    :: effect == do_await_receipt || effect == do_ask -> report(row)
    :: effect == do_decline -> decline(row)
    :: effect == do_corroborate -> corroborate(row)
    :: effect == do_evaluate_absence -> evaluateAbsence(row)
    :: else
    fi;
    effect = 0
}

#define isAskedAbout(row) (status[row] == submitted || status[row] == pending)
/* A denial after a report of payment is a fact of another kind, `declined_after_paid`. */
#define saysNoAfterPaid(row) (isReported[row] && MUTANT != 12)

#define isHolding(row) (isHeldOpen[row] && MUTANT != 17)

inline lapse(row) {
    d_step {
        if
        :: isInFlight(row) && isHolding(row)
        :: else ->
            assert(!isInFlight(row) || !isHeldOpen[row]);
            become(row, lapsedFrom(status[row]));
            forget(row)
        fi
    }
}

/* A refund of what is held: once a receipt. */
inline refund(receipt) {
    d_step {
        if
        :: postings[receipt] > 0 && !toMerchant[receipt] && (refunds[receipt] == 0 || MUTANT == 10) ->
            refunds[receipt]++;
            assert(refunds[receipt] == 1);
            become(holder[receipt], after_reversed(status[holder[receipt]]))
        :: else
        fi
    }
}

/* The prompt on the phone, which is the witness that there is only one. */
inline show_prompt(row) {
    d_step {
        rings[row]++;
        assert(rings[row] == 1)
    }
}

/* RecordSubmit: an answer that cannot be true changes nothing. */
inline acknowledge(row) {
    d_step {
        to = acknowledgedFrom(status[row]);
        if
        :: to != conflict -> become(row, to)
        :: else
        fi;
        to = 0
    }
}

inline refuse(row) {
    d_step {
        to = after_refused(status[row]);
        if
        :: to != conflict -> become(row, to)
        :: else
        fi;
        to = 0
    }
}

/* Payers press Pay, each with a different Idempotency-Key, whenever they like. */
proctype Payer() {
    byte next;
    do
    :: next < ATTEMPTS -> start(next); next++
    :: break
    od
}

#define isToSend(row) (status[row] == reserved || (MUTANT == 2 && status[row] == submitted))

/* The worker, which can die after each thing it does, and starts again. */
proctype Worker(byte me) {
    do
    :: isQuiet -> break
#if MUTANT == 9
    :: status[me] == reserved -> show_prompt(me)
#endif
    :: d_step {
        isToSend(me) ->
            /* BeginSubmit */
            if
            :: credits > 0 && MUTANT != 11 -> become(me, after_withheld(status[me]))
            :: else ->
                assert(credits == 0);
                become(me, after_submitted(status[me]))
            fi
        };
        if
        :: status[me] != submitted          /* withheld, or ended meanwhile */
        :: skip                              /* dies, or the call is lost */
        :: refuse(me)                       /* refused, or never sent */
        :: show_prompt(me)                         /* dies, or the answer is lost */
        :: show_prompt(me); acknowledge(me)
        fi
    od
}

/* Whatever the payer does, and whatever is reported of it, in any order, more than once or not at all. */
proctype Provider(byte me) {
    byte reports;
    do
    :: rings[me] > 0 && !moved[me] -> moved[me] = true
    /* A callback that passes every check, or its copy; the answer to a query, or a row of the statement. */
    :: d_step { reports < NEWS && moved[me] -> reports++; apply(me, me, true, effect_E3_receipt) }
    :: d_step { reports < NEWS && moved[me] -> reports++; apply(me, me, true, effect_E4_receipt) }
    /* "Paid" without a receipt, or by a callback that fails a check. */
    :: d_step { reports < NEWS && moved[me] -> reports++; apply(me, me, true, effect_E4_paid) }
    :: d_step { reports < NEWS && moved[me] -> reports++; apply(me, me, true, effect_E3_paid) }
    :: d_step { reports < NEWS && moved[me] -> reports++; apply(me, me, true, effect_E2_receipt) }
    /* A callback that passes every check and denies the payment, and an answer that denies it. */
    :: d_step {
        reports < NEWS && rings[me] > 0 -> reports++;
        apply(me, me, true, (saysNoAfterPaid(me) -> effect_E3_declined_after_paid : effect_E3_declined))
    }
    :: d_step {
        reports < NEWS && rings[me] > 0 -> reports++;
        apply(me, me, true, (saysNoAfterPaid(me) -> effect_E4_declined_after_paid : effect_E4_declined))
    }
    /* An answer "not found" ends no attempt whose prompt may have been sent. */
    :: d_step { isAskedAbout(me) -> apply(me, me, true, effect_E4_not_found); assert(isAskedAbout(me)) }
    :: isQuiet -> break
    od
}

/* Money that no prompt asked for: to the checkout's number, or to the reference of an intent; reported once, or never. */
proctype Menu() {
    if
    :: moved[2] = true
    :: d_step { moved[2] = true; isOdd = true }
    :: isQuiet
    fi;
    if
    :: moved[2] -> settleMenu(2, !isOdd)
    :: d_step {
        moved[2] && confirmedFrom(status[0]) != conflict && status[0] != 0 ->
            apply(0, 2, !isOdd, effect_E3_receipt)
    }
    :: isQuiet
    fi
}

/* Deadlines and holds, each of which may end at any moment. */
proctype Expiry() {
    do
    :: (isInFlight(0) && !isHolding(0)) || (MUTANT == 8 && status[0] == completed) -> lapse(0)
    :: isInFlight(1) && !isHolding(1) -> lapse(1)
    :: isHeldOpen[0] -> isHeldOpen[0] = false
    :: isHeldOpen[1] -> isHeldOpen[1] = false
    :: !isTimeUp -> isTimeUp = true
    :: isQuiet -> break
    od
}

#define isHeld(receipt) (postings[receipt] > 0 && !toMerchant[receipt])

/* Gives back what is held, and may press the button twice. */
proctype Operator() {
    if
    :: isHeld(0) -> refund(0); refund(0)
    :: isHeld(2) -> refund(2); refund(2)
    :: isQuiet
    fi
}

init {
    byte n;
    atomic {
        run Payer();
        run Worker(0);
        run Worker(1);
        run Provider(0);
        run Provider(1);
        run Menu();
        run Expiry();
        run Operator()
    }
    isTimeUp;
    isQuiet = true;
    (_nr_pr == 1);

    d_step {
        /* Every hold ends, and the statement, or an answer to a late query, has all that moved. */
        for (n : 0 .. ATTEMPTS - 1) {
            isHeldOpen[n] = false
        }
        for (n : 0 .. RECEIPTS - 1) {
            if
            :: moved[n] && MUTANT != 15 && n == 2 -> settleMenu(2, !isOdd)
            :: moved[n] && MUTANT != 15 && n < 2 && !(MUTANT == 18 && isReported[n] && status[n] == failed) ->
                settle(n, n, true)
            :: else
            fi
        }
        for (n : 0 .. ATTEMPTS - 1) {
            if
            :: isInFlight(n) -> lapse(n)
            :: else
            fi;
            assert(!isInFlight(n));
            /* No report of payment ends in failed unseen. */
            assert(!isReported[n])
        }
        for (n : 0 .. RECEIPTS - 1) {
            assert(postings[n] == moved[n]);
            assert(!moved[n] || status[holder[n]] == completed || status[holder[n]] == reversed);
            assert(refunds[n] == 0 || status[holder[n]] == reversed)
        }
        assert(credits == toMerchant[0] + toMerchant[1] + toMerchant[2])
    }
}
