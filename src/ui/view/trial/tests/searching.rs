//! Searches: proposals as a list, suffixes, what waits for documents.

use super::*;
use crate::model::units::whole_text;
use crate::work::salt::Salt;

#[test]
fn a_search_adds_keys_and_tells_why_and_esc_stops_it() {
    let mut app = by_month();
    let effects = press(&mut app, "a");
    assert!(matches!(effects.last(), Some(Effect::Search(..))));
    assert!(shown(&app).contains("looking for keys"));
    let stopped = press(&mut app, "esc");
    assert_eq!(stopped, [Effect::StopSearch]);
    settle_effects(&mut app, effects);
    assert!(app.views.trial.searching.is_none());
    assert!(matches!(&app.overlay, Some(Overlay::Proposals(_))));
    assert!(app.views.trial.entries.len() >= 4);
    // Proposals are numbered in their order; Enter leads to the chosen one, and the list comes back without another search.
    let found = app.views.trial.found.clone().unwrap().1;
    let proposals = &found.suggestions.as_ref().unwrap().proposals;
    let text = shown(&app);
    for (number, proposal) in (1..).zip(proposals) {
        let row = text.lines().find(|line| line.contains(&format!(" {number}  /")));
        let row = row.unwrap_or_default();
        let ru = proposal.trial.to_buy[0].ru.unwrap().point;
        assert!(row.contains(&whole_text(ru)), "{text}");
    }
    keys(&mut app, "j enter");
    let chosen = |app: &App| app.views.trial.entries[app.views.trial.chosen].candidate.clone();
    assert!(app.overlay.is_none());
    assert_eq!(chosen(&app), proposals[1].candidate);
    assert!(press(&mut app, "a").is_empty());
    assert!(matches!(&app.overlay, Some(Overlay::Proposals(_))));
    // The last entry is what was tried.
    keys(&mut app, "G");
    assert!(shown(&app).contains("Not proposed: "), "{}", shown(&app));
    keys(&mut app, "enter");
    assert_eq!(chosen(&app), proposals[1].candidate);
    keys(&mut app, "a g enter");
    assert_eq!(chosen(&app), proposals[0].candidate);
    keys(&mut app, "o");
    let text = shown(&app);
    let mut below = text.lines().skip_while(|line| !line.contains("┏ suffixes ━"));
    let first = below.nth(1).unwrap_or_default();
    assert!(first.contains("Suffixes for /"), "{text}");
    keys(&mut app, "esc m");
    let plan = shown(&app);
    for part in ["Move contoso", "from /month to /", "Before and after"] {
        assert!(plan.contains(part), "{part}: {plan}");
    }
    // Masked, it names no container.
    keys(&mut app, "esc");
    let effects = update(&mut app, Msg::SaltRead(Ok(Salt(vec![7; 32]))));
    settle_effects(&mut app, effects);
    keys(&mut app, "m");
    let hidden = shown(&app);
    assert!(hidden.contains("Before and after") && !hidden.contains("contoso"), "{hidden}");
}

#[test]
fn a_plan_gives_its_texts_one_by_one_and_is_written_to_a_file() {
    let mut app = by_month();
    keys(&mut app, "l");
    for (text, said) in [("plan bicep", "┏ bicep "), ("plan bice", "a plan has no bice")] {
        keys(&mut app, "esc :");
        typed(&mut app, text);
        keys(&mut app, "enter");
        assert!(shown(&app).contains(said), "{text}: {}", shown(&app));
    }
    keys(&mut app, ":");
    typed(&mut app, "plan plan.html");
    let effects = keys(&mut app, "enter");
    let export = effects.iter().find_map(|effect| match effect {
        Effect::Export(_, export) => Some(export),
        _ => None,
    });
    let export = export.unwrap();
    assert_eq!(export.path.to_str(), Some("plan.html"));
    assert!(matches!(&export.what, Exported::Plan(found) if found.plan.is_some()));
}

#[test]
fn a_search_in_documents_that_are_still_read_begins_once_they_are_there() {
    let mut app = app_with("car");
    let reading = press(&mut app, "4");
    assert!(reading.iter().any(|e| matches!(e, Effect::Sample(..))));
    for (chord, said) in [
        ("l", "another key is chosen as soon as"),
        ("i", "still being read"),
        ("o", "suffixes are counted as soon as"),
    ] {
        assert!(press(&mut app, chord).is_empty());
        assert!(shown(&app).contains(said), "{chord}");
    }
    assert!(press(&mut app, "a").is_empty());
    let text = shown(&app);
    assert!(text.contains("as soon as the documents are read"), "{text}");
    settle_effects(&mut app, reading);
    assert!(matches!(&app.overlay, Some(Overlay::Proposals(_))));
    assert_ne!(app.views.trial.chosen, 0, "l was pressed");
    assert!(shown(&app).contains("proposals, the most fitting first"), "{}", shown(&app));
}
