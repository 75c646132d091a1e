//! `cosmoscope help`: the commands, one command's options, or a topic.

use std::io::{self, IsTerminal, Write};

use clap::CommandFactory;
use clap::builder::StyledStr;

use super::{Cli, output};
use crate::error::Error;

/// A page of the manual that is not about one command.
pub struct HelpTopic {
    pub name: &'static str,
    text: &'static str,
}

pub const TOPICS: &[HelpTopic] = &[
    HelpTopic { name: "formats", text: include_str!("../../assets/help/formats.md") },
    HelpTopic { name: "json", text: include_str!("../../assets/help/json.md") },
    HelpTopic { name: "roles", text: include_str!("../../assets/help/roles.md") },
    HelpTopic { name: "keys", text: include_str!("../../assets/help/keys.md") },
    HelpTopic { name: "verdicts", text: crate::ui::view::help::VERDICTS },
    HelpTopic { name: "terms", text: crate::ui::view::help::TERMS },
    HelpTopic { name: "buckets", text: include_str!("../../assets/help/buckets.md") },
    HelpTopic { name: "connect", text: include_str!("../../assets/help/connect.md") },
    HelpTopic { name: "exit-codes", text: include_str!("../../assets/help/exit-codes.md") },
    HelpTopic { name: "speed", text: include_str!("../../assets/help/speed.md") },
];

impl HelpTopic {
    /// The text without the marks of Markdown.
    pub fn plain(&self) -> String {
        let mut plain = String::new();
        for line in self.text.lines() {
            plain.push_str(line.trim_start_matches("# ").trim_start_matches("## "));
            plain.push('\n');
        }
        plain.replace('`', "")
    }
}

/// The topics by the titles of their pages, which stand below the list of commands.
pub fn topic_list() -> String {
    let line = |topic: &HelpTopic| {
        let page = topic.plain();
        format!("  {:<11}  {}\n", topic.name, page.lines().next().unwrap_or_default())
    };
    let lines: Vec<String> = TOPICS.iter().map(line).collect();
    format!("Topics:\n{}\n`cosmoscope help NAME` shows a command or a topic.", lines.concat())
}

/// Prints the help of a command or topic; without a name that of the program. `connect` is both: the command's options come
/// first, then the topic.
pub fn run(name: Option<&str>) -> Result<u8, Error> {
    let mut command = Cli::command();
    command.build();
    let shown = |command: &mut clap::Command| shown(&command.render_long_help());
    let Some(name) = name else {
        return output::print(shown(&mut command));
    };
    let mut pages = Vec::new();
    let name = if name == "glossary" { "terms" } else { name };
    pages.extend(command.find_subcommand_mut(name).map(shown));
    let topics = TOPICS.iter().filter(|topic| topic.name == name);
    pages.extend(topics.map(HelpTopic::plain));
    if pages.is_empty() {
        let topics: Vec<&str> = TOPICS.iter().map(|topic| topic.name).collect();
        let commands = command.get_subcommands().map(clap::Command::get_name);
        let known: Vec<&str> = commands.chain(topics.iter().copied()).collect();
        return Err(Error::unknown("there is no command or topic", name, &known, |_| {
            format!("the topics are {}; `cosmoscope help` lists the commands", topics.join(", "))
        }));
    }
    output::print(pages.join("\n"))
}

/// Prints what `--help` and `--version` answer.
pub fn answer(answer: &clap::Error) -> Result<u8, Error> {
    output::print(shown(&answer.render()))
}

fn shown(help: &StyledStr) -> String {
    let is_coloured = io::stdout().is_terminal() && output::colour_wanted();
    if is_coloured { help.ansi().to_string() } else { help.to_string() }
}

/// The topics as sections of the manual.
pub fn manual(to: &mut dyn Write) -> io::Result<()> {
    for topic in TOPICS {
        writeln!(to, ".SH \"{}\"\n.nf", topic.name.to_uppercase())?;
        for line in topic.plain().lines() {
            // A point or quote at the beginning of a line would be a command to the formatter.
            let line = line.replace('\\', "\\e").replace('-', "\\-");
            writeln!(to, "\\&{line}")?;
        }
        writeln!(to, ".fi")?;
    }
    Ok(())
}
