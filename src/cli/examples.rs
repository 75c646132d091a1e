//! Examples below the options of each command.

pub const OPEN: &str = "Examples:\n\
    \x20 cosmoscope open exports/\n\
    \x20 cosmoscope open orders.csv --documents orders.jsonl";
pub const INSPECT: &str = "Examples:\n\
    \x20 cosmoscope inspect exports/\n\
    \x20 cosmoscope inspect orders.csv --format json";
pub const REPORT: &str = "Examples:\n\
    \x20 cosmoscope report exports/ --top 50\n\
    \x20 cosmoscope report exports/ --view heat --format html -o heat.html";
pub const CHECK: &str = "Examples:\n\
    \x20 cosmoscope check exports/ --max-logical 80% --max-hot 90%\n\
    \x20 cosmoscope check exports/ --simulate 30d --load-factor 10x\n\
    \x20 cosmoscope check --documents orders.jsonl --key /tenantId --format sarif\n\
    \x20 cosmoscope check --documents orders.jsonl --key /tenantId --logs exports/ --simulate 30d\n\
    \x20 cosmoscope check --scenario design.toml --key '/tenantId > /userId'";
pub const DIFF: &str = "Examples:\n\
    \x20 cosmoscope diff monday.csv friday.csv";
pub const FORECAST: &str = "Examples:\n\
    \x20 cosmoscope forecast exports/\n\
    \x20 cosmoscope forecast exports/ --retention 30d --growth-factor 2\n\
    \x20 cosmoscope forecast --scenario tenants --ru 150000\n\
    \x20 cosmoscope forecast --import 500GB --item 1KB --hours 12";
pub const SIMULATE: &str = "Examples:\n\
    \x20 cosmoscope simulate exports/ --container orders --load-factor 10x\n\
    \x20 cosmoscope simulate exports/ --until 10y --overflow linked-list --retention 90d\n\
    \x20 cosmoscope simulate exports/ --documents orders.jsonl --key '/tenantId > /userId' --format html -o keys.html\n\
    \x20 cosmoscope simulate --scenario tenants --stop-at 429";
pub const LOCATE: &str = "Examples:\n\
    \x20 cosmoscope locate Andrew Tim Thomas Theo Deborah --partitions 4\n\
    \x20 cosmoscope locate contoso --from exports/ --container orders\n\
    \x20 cosmoscope locate '[\"acme\",\"u1\"]' --scenario events";
pub const WORKLOAD: &str = "Examples:\n\
    \x20 cosmoscope workload logs/\n\
    \x20 cosmoscope workload logs/ --container orders --as queries -o queries.sql\n\
    \x20 cosmoscope workload monday.jsonl friday.jsonl";
pub const TRIAL: &str = "Examples:\n\
    \x20 cosmoscope trial orders.jsonl --current /month --key '/tenantId > /userId'\n\
    \x20 cosmoscope trial orders.jsonl --key /tenantId --queries queries.sql --ru 40000";
pub const DESIGN: &str = "Examples:\n\
    \x20 cosmoscope design --new iot > cars.toml\n\
    \x20 cosmoscope design cars.toml\n\
    \x20 cosmoscope design cars.toml --documents cars.jsonl --queries cars.sql";
pub const PLAN: &str = "Examples:\n\
    \x20 cosmoscope plan '/tenantId > /userId' orders.jsonl --logs exports/ --queries queries.sql\n\
    \x20 cosmoscope plan '/tenantId > /userId' --scenario tenants --format html -o plan.html\n\
    \x20 cosmoscope plan '/tenantId + \".\" + bucket(/id, 10)' --scenario tenants --as python";
pub const DEMO: &str = "Examples:\n\
    \x20 cosmoscope demo\n\
    \x20 cosmoscope demo night --print heat";
pub const LESSON: &str = "Examples:\n\
    \x20 cosmoscope lesson\n\
    \x20 cosmoscope lesson sharding --step 4\n\
    \x20 cosmoscope lesson sharding --format html -o sharding.html\n\
    \x20 cosmoscope lesson --new > own.toml && cosmoscope lesson own.toml --check";
pub const CONNECT: &str = "Examples:\n\
    \x20 cosmoscope connect contoso\n\
    \x20 cosmoscope connect contoso --database shop --container orders --record shop.rec";
pub const REPLAY: &str = "Examples:\n\
    \x20 cosmoscope replay shop.rec\n\
    \x20 cosmoscope replay shop.rec --cast shop.cast --size 120x30 --type 3";
pub const DOCTOR: &str = "Examples:\n\
    \x20 cosmoscope doctor contoso";
pub const COUNT: &str = "Examples:\n\
    \x20 cosmoscope count contoso --database shop --container orders --path /tenantId";
pub const COMPLETIONS: &str = "Examples:\n\
    \x20 cosmoscope completions bash > cosmoscope.bash";
pub const MAN: &str = "Examples:\n\
    \x20 cosmoscope man | man -l -";
pub const HELP: &str = "Examples:\n\
    \x20 cosmoscope help trial\n\
    \x20 cosmoscope help exit-codes";
