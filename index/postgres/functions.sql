-- The SQL functions that the statements of this program call and PostgreSQL lacks. They
-- return what SQLite's return. Each workspace has its own, in its schema.

-- The elements of an array, or the values of an object, as texts.
CREATE OR REPLACE FUNCTION json_each(document TEXT) RETURNS TABLE (key TEXT, value TEXT)
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (n - 1)::text, element FROM jsonb_array_elements_text(
      CASE jsonb_typeof(document::jsonb) WHEN 'array' THEN document::jsonb ELSE '[]' END) WITH ORDINALITY AS a(element, n)
  UNION ALL
  SELECT o.key, o.value FROM jsonb_each_text(
      CASE jsonb_typeof(document::jsonb) WHEN 'object' THEN document::jsonb ELSE '{}' END) o
$$;

-- A path like $.a.b, as an array of keys.
CREATE OR REPLACE FUNCTION json_path(path TEXT) RETURNS TEXT[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT string_to_array(substr(path, 3), '.') $$;

-- The elements of a part of a document. A missing part has none.
CREATE OR REPLACE FUNCTION json_each(document TEXT, path TEXT) RETURNS TABLE (key TEXT, value TEXT)
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT p.key, p.value FROM json_each(coalesce((document::jsonb #> json_path(path))::text, '[]')) p
$$;

-- A value as a text: 1 for true, 0 for false, and NULL for null or a missing value.
CREATE OR REPLACE FUNCTION json_extract(document TEXT, path TEXT) RETURNS TEXT
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE jsonb_typeof(document::jsonb #> json_path(path))
    WHEN 'boolean' THEN ((document::jsonb #>> json_path(path))::boolean)::int::text
    ELSE document::jsonb #>> json_path(path) END
$$;

CREATE OR REPLACE FUNCTION json_remove(document TEXT, path TEXT) RETURNS TEXT
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT (document::jsonb #- json_path(path))::text $$;

CREATE OR REPLACE FUNCTION json_valid(document TEXT) RETURNS BOOLEAN
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT document IS JSON $$;

CREATE OR REPLACE FUNCTION hex(bytes BYTEA) RETURNS TEXT
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT upper(encode(bytes, 'hex')) $$;

CREATE OR REPLACE FUNCTION unhex(digits TEXT) RETURNS BYTEA
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT decode(digits, 'hex') $$;

CREATE OR REPLACE FUNCTION zeroblob(length BIGINT) RETURNS BYTEA
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT decode(repeat('00', length::int), 'hex') $$;

CREATE OR REPLACE FUNCTION instr(haystack TEXT, needle TEXT) RETURNS INT
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT strpos(haystack, needle) $$;

CREATE OR REPLACE FUNCTION iif(condition BOOLEAN, yes TEXT, no TEXT) RETURNS TEXT
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT CASE WHEN condition THEN yes ELSE no END $$;

-- One segment of a pattern of paths as a regular expression. It is not valid where Go's
-- path.Match has no valid pattern.
CREATE OR REPLACE FUNCTION segment_regexp(segment TEXT) RETURNS TEXT
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  expression TEXT := '';
  c TEXT;
  escaped BOOLEAN := false;
  -- Inside of [...]: 'first' at its first character, 'begin' at that of another range,
  -- 'after' behind a character, 'end' behind a hyphen, and 'ranged' behind a range.
  class TEXT := '';
BEGIN
  FOREACH c IN ARRAY string_to_array(segment, NULL) LOOP
    CASE
      WHEN class = 'first' AND NOT escaped AND c IN ('!', '^') THEN expression := expression || '^'; class := 'begin';
      WHEN class IN ('after', 'ranged') AND NOT escaped AND c = ']' THEN expression := expression || ']'; class := '';
      WHEN class = 'after' AND NOT escaped AND c = '-' THEN expression := expression || '-'; class := 'end';
      WHEN NOT escaped AND c = '\' THEN escaped := true;
      WHEN class <> '' AND NOT escaped AND c IN ('-', ']') THEN RAISE invalid_regular_expression;
      WHEN class <> '' OR escaped THEN
        expression := expression || regexp_replace(c, '(\W)', '\\\1');
        class := CASE class WHEN '' THEN '' WHEN 'end' THEN 'ranged' ELSE 'after' END;
        escaped := false;
      WHEN c = '[' THEN expression := expression || '(?!/)['; class := 'first';
      WHEN c = '*' THEN expression := expression || '[^/]*';
      WHEN c = '?' THEN expression := expression || '[^/]';
      ELSE expression := expression || regexp_replace(c, '(\W)', '\\\1');
    END CASE;
  END LOOP;
  IF class <> '' OR escaped THEN
    RAISE invalid_regular_expression;
  END IF;
  RETURN expression;
END $$;

-- A pattern of paths as a regular expression. A segment ** is any number of folders.
CREATE OR REPLACE FUNCTION path_regexp(pattern TEXT) RETURNS TEXT
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  segments TEXT[] := string_to_array(regexp_replace(pattern, '(\*\*/)+(?=\*\*(/|$))', '', 'g'), '/');
  expression TEXT := '^';
  separator TEXT := '';
BEGIN
  FOR i IN 1 .. cardinality(segments) LOOP
    IF segments[i] <> '**' THEN
      expression := expression || separator || segment_regexp(segments[i]);
      separator := '/';
    ELSIF i < cardinality(segments) THEN
      expression := expression || separator || '(?:[^/]*/)*';
      separator := '';
    ELSIF i = 1 THEN
      expression := expression || '.*';
    ELSE
      expression := expression || '(?:/.*)?';
    END IF;
  END LOOP;
  RETURN expression || '$';
END $$;

-- Whether a filter (a path, a folder or a pattern) matches a path. A pattern that is no
-- valid one matches only as a path.
CREATE OR REPLACE FUNCTION path_matches(filter TEXT, path TEXT) RETURNS BOOLEAN
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  name TEXT := regexp_replace(regexp_replace(filter, '^\./', ''), '/$', '');
BEGIN
  IF path = name OR starts_with(path, name || '/') THEN
    RETURN true;
  END IF;
  RETURN name ~ '[*?[]' AND path ~ path_regexp(name);
EXCEPTION WHEN invalid_regular_expression THEN
  RETURN false;
END $$;

-- Whether a person's name of a session means the one with a key. See isOfSession in index/query.
CREATE OR REPLACE FUNCTION is_of_session(name TEXT, key TEXT) RETURNS BOOLEAN
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT n <> '' AND (n = k OR starts_with(CASE WHEN strpos(k, '/') > 0 THEN substr(k, strpos(k, '/') + 1) ELSE '' END || '/', n || '/')
    OR n <> split_part(k, '/', 1) AND starts_with(k || '/', n || '/'))
  FROM (SELECT rtrim(name, '/') AS n, rtrim(key, '/') AS k) s
$$;

-- A vector of 8 bits a number.
CREATE OR REPLACE FUNCTION vec_int8(bytes BYTEA) RETURNS halfvec
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ARRAY(SELECT (get_byte(bytes, generate_series(0, length(bytes) - 1)) # 128) - 128)::halfvec
$$;
