-- Operators switch cards on and off for an account. Few acts are done by hand, so the check of what there is takes no time.
ALTER TABLE operator_actions DROP CONSTRAINT operator_actions_did_known;
ALTER TABLE operator_actions ADD CONSTRAINT operator_actions_did_known CHECK (did IN (
    'placed', 'placement_asked', 'placement_withdrawn', 'refund_asked', 'refund_approved', 'refund_withdrawn',
    'closing_asked', 'closing_approved', 'closing_withdrawn',
    'freezing_asked', 'freezing_withdrawn', 'frozen', 'thawed',
    'enrolled', 'enrollment_asked', 'enrollment_withdrawn', 'retirement_asked', 'retirement_withdrawn', 'retired',
    'report_closing_asked', 'report_closed', 'report_closing_withdrawn',
    'report_posting_asked', 'report_posted', 'report_posting_withdrawn',
    'cards_switched_on', 'cards_switched_off'
    ));
