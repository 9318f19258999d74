CREATE OR REPLACE FUNCTION is_report_closed(p_subject TEXT) RETURNS BOOLEAN LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM report_closings WHERE subject = p_subject AND status = 'closed')
$$;
