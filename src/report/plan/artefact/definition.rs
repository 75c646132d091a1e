//! The new container as the tools that create it take it.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::{account, database, new_name, quote};
use crate::analysis::plan::container::NewContainer;
use crate::analysis::plan::facts::ThroughputForm;
use crate::analysis::plan::routes::RouteKind;
use crate::model::path::Path;
use crate::model::physical::TimeToLive;
use crate::model::query_text::shell_word;
use crate::model::units::whole_u64;

const API: &str = "2024-11-15";
const LIFETIME_UNKNOWN: &str =
    "time to live is not known: set defaultTtl as today's container has it";
const UNIQUE_UNKNOWN: &str = "unique keys are not known: they cannot be added later";
const UNIQUE_FOUND: &str = "today's container has unique keys: fill them in, such as";
const INDEXING: &str = "the indexing policy is not known here: take over today's";

/// What stands under options: the name of the setting, and RU/s.
enum Options {
    None(&'static str),
    Manual(Option<u64>),
    Autoscale(Option<u64>),
}

impl Options {
    fn of(container: &NewContainer) -> Self {
        let step = |step: f64| {
            let up = |ru: f64| whole_u64((ru / step).ceil() * step);
            container.created_ru.map(up)
        };
        match container.throughput {
            Some(ThroughputForm::Shared) => Self::None("RU/s are those of the database"),
            Some(ThroughputForm::Serverless) => Self::None("serverless: no RU/s are provisioned"),
            Some(ThroughputForm::Autoscale) => Self::Autoscale(step(1_000.0)),
            Some(ThroughputForm::Manual) | None => Self::Manual(step(100.0)),
        }
    }
}

fn group(container: &NewContainer) -> &str {
    let group = container.resource_group.as_deref();
    group.unwrap_or("<resource-group>")
}

/// Seconds of the default; -1 where only documents have one.
fn lifetime(container: &NewContainer) -> Option<i64> {
    match container.lifetime? {
        TimeToLive::Off => None,
        TimeToLive::On { default_seconds } => {
            let seconds = default_seconds.and_then(|s| i64::try_from(s).ok());
            Some(seconds.unwrap_or(-1))
        }
    }
}

/// What is to be filled in by hand.
fn open_points(container: &NewContainer) -> Vec<String> {
    let mut open = vec![INDEXING.to_owned()];
    open.extend((container.lifetime.is_none()).then(|| LIFETIME_UNKNOWN.to_owned()));
    open.extend((container.unique_keys.is_none()).then(|| UNIQUE_UNKNOWN.to_owned()));
    if let Some(ru) = container.raised_ru {
        let ru = whole_u64(ru);
        open.push(format!("raise to {ru} RU/s once all documents are in"));
    }
    let written: Vec<String> = (container.properties().into_iter().flatten())
        .map(ToString::to_string)
        .collect();
    if !written.is_empty() {
        let written = quote::comment(&written.join(", "));
        open.push(format!(
            "the application writes {written}: see the key builder"
        ));
    }
    open
}

fn head(container: &NewContainer, sign: &str) -> String {
    let key = quote::comment(&container.candidate.to_string());
    let mut out = format!("{sign} New container with the key {key}\n");
    for point in open_points(container) {
        let _ = writeln!(out, "{sign} {point}");
    }
    out
}

pub(super) fn bicep(container: &NewContainer) -> String {
    let mut out = head(container, "//");
    let number = |ru: Option<u64>| ru.map_or(String::new(), |ru| format!(" = {ru}"));
    let (throughput, options) = match Options::of(container) {
        Options::None(why) => (String::new(), format!("    // {why}\n")),
        Options::Manual(ru) => (
            format!("param throughput int{}\n", number(ru)),
            "    options: {\n      throughput: throughput\n    }\n".to_owned(),
        ),
        Options::Autoscale(ru) => (
            format!("param maxThroughput int{}\n", number(ru)),
            "    options: {\n      autoscaleSettings: {\n        maxThroughput: maxThroughput\n      }\n    }\n".to_owned(),
        ),
    };
    let lifetime = lifetime(container);
    let _ = write!(
        out,
        "param accountName string = {}\nparam databaseName string = {}\nparam containerName string = {}\n{throughput}",
        quote::bicep(account(container)),
        quote::bicep(database(container)),
        quote::bicep(&new_name(container)),
    );
    if let Some(seconds) = lifetime {
        let _ = writeln!(out, "param defaultTtl int = {seconds}");
    }
    let is_unique = container.unique_keys == Some(true);
    if is_unique {
        let _ = writeln!(
            out,
            "// {UNIQUE_FOUND} [{{ paths: ['/a'] }}]\nparam uniqueKeys array"
        );
    }
    let _ = write!(
        out,
        "\nresource container 'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers@{API}' = {{\n  name: '${{accountName}}/${{databaseName}}/${{containerName}}'\n  properties: {{\n    resource: {{\n      id: containerName\n      partitionKey: {{\n        paths: [\n"
    );
    for path in &container.paths {
        let _ = writeln!(out, "          {}", quote::bicep(&path.to_string()));
    }
    let _ = write!(
        out,
        "        ]\n        kind: '{}'\n        version: 2\n      }}\n",
        container.kind()
    );
    if lifetime.is_some() {
        out.push_str("      defaultTtl: defaultTtl\n");
    }
    if is_unique {
        out.push_str("      uniqueKeyPolicy: {\n        uniqueKeys: uniqueKeys\n      }\n");
    }
    let _ = writeln!(out, "    }}\n{options}  }}\n}}");
    out
}

pub(super) fn arm(container: &NewContainer) -> String {
    let text = |value: &str| json!({"type": "string", "defaultValue": quote::arm(value)});
    let number = |value: Option<u64>| match value {
        Some(value) => json!({"type": "int", "defaultValue": value}),
        None => json!({"type": "int"}),
    };
    let mut parameters = json!({
        "accountName": text(account(container)),
        "databaseName": text(database(container)),
        "containerName": text(&new_name(container)),
    });
    let paths: Vec<String> = container.paths.iter().map(Path::to_string).collect();
    let mut resource = json!({
        "id": "[parameters('containerName')]",
        "partitionKey": {"paths": paths, "kind": container.kind(), "version": 2},
    });
    let mut add = |name: &str, value: Value| {
        if let Some(all) = parameters.as_object_mut() {
            all.insert(name.to_owned(), value);
        }
    };
    let options = match Options::of(container) {
        Options::None(_) => json!({}),
        Options::Manual(ru) => {
            add("throughput", number(ru));
            json!({"throughput": "[parameters('throughput')]"})
        }
        Options::Autoscale(ru) => {
            add("maxThroughput", number(ru));
            json!({"autoscaleSettings": {"maxThroughput": "[parameters('maxThroughput')]"}})
        }
    };
    let mut set = |name: &str, value: Value| {
        if let Some(all) = resource.as_object_mut() {
            all.insert(name.to_owned(), value);
        }
    };
    if let Some(seconds) = lifetime(container) {
        add(
            "defaultTtl",
            json!({"type": "int", "defaultValue": seconds}),
        );
        set("defaultTtl", json!("[parameters('defaultTtl')]"));
    }
    if container.unique_keys == Some(true) {
        add("uniqueKeys", json!({"type": "array"}));
        let unique = json!({"uniqueKeys": "[parameters('uniqueKeys')]"});
        set("uniqueKeyPolicy", unique);
    }
    let name = "[concat(parameters('accountName'), '/', parameters('databaseName'), '/', parameters('containerName'))]";
    let template = json!({
        "$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
        "contentVersion": "1.0.0.0",
        "metadata": {"open": open_points(container)},
        "parameters": parameters,
        "resources": [{
            "type": "Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers",
            "apiVersion": API,
            "name": name,
            "properties": {"resource": resource, "options": options},
        }],
    });
    quote::json(&format!("{template:#}\n"))
}

pub(super) fn az(container: &NewContainer, route: Option<RouteKind>) -> String {
    let mut out = head(container, "#");
    let [group, account, database] =
        [group(container), account(container), database(container)].map(shell_word);
    let name = shell_word(&new_name(container));
    let target = format!(
        "--resource-group {group} --account-name {account} --database-name {database} --name {name}"
    );
    let ru = |ru: Option<u64>| ru.map_or("<RU/s>".to_owned(), |ru| ru.to_string());
    let throughput = match Options::of(container) {
        Options::None(_) => String::new(),
        Options::Manual(n) => format!(" --throughput {}", ru(n)),
        Options::Autoscale(n) => format!(" --max-throughput {}", ru(n)),
    };
    if let [path] = container.paths.as_slice() {
        let path = shell_word(&path.to_string());
        let lifetime = lifetime(container);
        let lifetime = lifetime.map_or(String::new(), |s| format!(" --ttl {s}"));
        let _ = writeln!(
            out,
            "az cosmosdb sql container create {target} --partition-key-path {path} --partition-key-version 2{throughput}{lifetime}"
        );
    } else {
        let _ = writeln!(
            out,
            "# The command takes one path only; the template (--as arm -o container.json) takes all.\naz deployment group create --resource-group {group} --template-file container.json"
        );
    }
    if let Some(mode) = match route {
        Some(RouteKind::CopyOffline) => Some("Offline"),
        Some(RouteKind::CopyOnline) => Some("Online"),
        _ => None,
    } {
        let today = container.container.as_deref().unwrap_or("<container>");
        let side = |name: &str| {
            let database = self::database(container);
            let [database, container] =
                [format!("database={database}"), format!("container={name}")]
                    .map(|pair| shell_word(&pair));
            format!("{database} {container}")
        };
        let _ = write!(
            out,
            "\naz extension add --name cosmosdb-preview\naz cosmosdb copy create --resource-group {group} --job-name move --src-account {account} --dest-account {account} --src-nosql {} --dest-nosql {} --mode {mode}\naz cosmosdb copy show --resource-group {group} --account-name {account} --job-name move\n",
            side(today),
            side(&new_name(container)),
        );
        if mode == "Online" {
            let _ = writeln!(
                out,
                "# After writes have stopped for 10 minutes:\naz cosmosdb copy complete --resource-group {group} --account-name {account} --job-name move"
            );
        }
    }
    if let Some(raised) = container.raised_ru.filter(|_| !throughput.is_empty()) {
        let option = throughput.split_whitespace().next().unwrap_or_default();
        let _ = writeln!(
            out,
            "\n# Once all documents are in:\naz cosmosdb sql container throughput update {target} {option} {}",
            whole_u64(raised)
        );
    }
    out
}

pub(super) fn terraform(container: &NewContainer) -> String {
    let mut out = head(container, "#");
    let paths: Vec<String> = (container.paths.iter())
        .map(|path| quote::terraform(&path.to_string()))
        .collect();
    let _ = write!(
        out,
        "resource \"azurerm_cosmosdb_sql_container\" \"new\" {{\n  name                  = {}\n  resource_group_name   = {}\n  account_name          = {}\n  database_name         = {}\n  partition_key_paths   = [{}]\n  partition_key_kind    = \"{}\"\n  partition_key_version = 2\n",
        quote::terraform(&new_name(container)),
        quote::terraform(group(container)),
        quote::terraform(account(container)),
        quote::terraform(database(container)),
        paths.join(", "),
        container.kind(),
    );
    let ru = |ru: Option<u64>| ru.map_or("var.ru".to_owned(), |ru| ru.to_string());
    let _ = match Options::of(container) {
        Options::None(why) => writeln!(out, "  # {why}"),
        Options::Manual(n) => writeln!(out, "  throughput            = {}", ru(n)),
        Options::Autoscale(n) => {
            writeln!(
                out,
                "\n  autoscale_settings {{\n    max_throughput = {}\n  }}",
                ru(n)
            )
        }
    };
    if let Some(seconds) = lifetime(container) {
        let _ = writeln!(out, "  default_ttl           = {seconds}");
    }
    if container.unique_keys == Some(true) {
        let _ = writeln!(
            out,
            "\n  # {UNIQUE_FOUND} unique_key {{ paths = [\"/a\"] }}"
        );
    }
    out.push_str("}\n");
    out
}

pub(super) fn portal(container: &NewContainer) -> String {
    let shown = quote::comment;
    let mut out = format!(
        "Azure portal, {}, Data Explorer, New Container\n  Database: use existing, {}\n  Container id: {}\n",
        shown(account(container)),
        shown(database(container)),
        shown(&new_name(container)),
    );
    for (level, path) in (1..).zip(&container.paths) {
        let path = shown(&path.to_string());
        let _ = match level {
            1 => writeln!(out, "  Partition key: {path}"),
            n => writeln!(out, "  Add hierarchical partition key, level {n}: {path}"),
        };
    }
    let ru = |ru: Option<u64>| ru.map_or("as today".to_owned(), |ru| ru.to_string());
    let _ = match Options::of(container) {
        Options::None(why) => writeln!(out, "  Throughput: none; {why}"),
        Options::Manual(n) => writeln!(out, "  Throughput: manual, {} RU/s", ru(n)),
        Options::Autoscale(n) => writeln!(out, "  Throughput: autoscale, maximum {} RU/s", ru(n)),
    };
    if let Some(seconds) = lifetime(container) {
        let _ = writeln!(
            out,
            "  Then Settings, Time to Live: on, default {seconds} s (-1: none)"
        );
    }
    for point in open_points(container) {
        let _ = writeln!(out, "  Note: {point}");
    }
    out
}
