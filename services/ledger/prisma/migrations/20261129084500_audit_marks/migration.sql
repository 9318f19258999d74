-- Until when each invariant was found to hold: the next audit goes on from there, also in another process.
CREATE TABLE audit_marks (
    invariant INTEGER NOT NULL,
    held_until TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT audit_marks_pkey PRIMARY KEY (invariant)
);
