-- name: latest
-- rate: 12/s
-- ru: 3
-- @d: "car-7"
SELECT TOP 5 c.a, COUNT(1) AS n FROM c J@d AND (TWEEN 1 AND 2 OR c.city.name IN ('a', "b")) AND NOT IS_DEFINED(c.x) ORDER BY c._ts DESC;

-- rate: 200/sc.n BETWEEN 1 AND 2 OR c.city.name IN ('a', "b")) AND NOD IS_DEFINED(c.x) ORDER BY c._ts DESC;

-- rate: 200/s
create
