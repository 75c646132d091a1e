//! Invented names in place of accounts, databases, containers and keys, everywhere in a report of heat.

use crate::analysis::diagnosis::{Phrase, PhrasePiece, Verdict};
use crate::analysis::mask::{Masker, NameKind};
use crate::analysis::rows::Note;

use super::{ContainerHeatRows, HeatReport, KeyOf};

impl HeatReport {
    /// Ids of partitions and regions stay: they tell nothing of whose data it is.
    pub fn mask(&mut self, masker: &Masker) {
        let mut masker = masker.clone();
        for container in &self.containers {
            masker.learn_name(&container.name);
        }
        for container in &mut self.containers {
            mask_container(container, &masker);
        }
        self.notes.iter_mut().for_each(|n| mask_note(n, &masker));
    }
}

fn mask_container(container: &mut ContainerHeatRows, masker: &Masker) {
    container.name = masker.container(&container.name);
    let group = container.resource_group.as_deref();
    let group = group.map(|group| masker.name(NameKind::ResourceGroup, group));
    container.resource_group = group.map(Into::into);
    for row in &mut container.verdicts {
        mask_verdict(&mut row.verdict, masker);
    }
    if let Some(now) = &mut container.now {
        now.mask(|key| masker.key(key).into());
    }
    for track in &mut container.tracks {
        track.from = masker.own_sentence(&track.from);
    }
    if let Some(map) = &mut container.map {
        map.track.from = masker.own_sentence(&map.track.from);
    }
    for row in &mut container.partitions {
        if let Some((key, _)) = &mut row.busiest {
            mask_key(key, masker);
        }
    }
    for key in container.keys.iter_mut().flat_map(|k| &mut k.keys) {
        mask_key(&mut key.key, masker);
    }
    container.notes.iter_mut().for_each(|n| mask_note(n, masker));
}

fn mask_key(key: &mut KeyOf, masker: &Masker) {
    if let KeyOf::Named(json) = key {
        *json = masker.key(json);
    }
}

fn mask_verdict(verdict: &mut Verdict, masker: &Masker) {
    verdict.key = verdict.key.as_deref().map(|key| masker.key(key).into());
    mask_phrase(&mut verdict.headline, masker);
    mask_phrase(&mut verdict.detail, masker);
    for fact in &mut verdict.evidence {
        mask_phrase(&mut fact.what, masker);
        fact.value = masker.own_sentence(&fact.value);
        fact.from = masker.own_sentence(&fact.from);
    }
    let answers = &mut verdict.answers;
    for answer in
        [&mut answers.more_ru, &mut answers.split, &mut answers.redistribute, &mut answers.new_key]
    {
        answer.why = masker.own_sentence(&answer.why);
    }
    for remedy in &mut verdict.remedies {
        remedy.words = masker.own_sentence(&remedy.words);
        for text in &mut remedy.how {
            *text = masker.own_sentence(text);
        }
    }
    verdict.steps.iter_mut().for_each(|s| mask_phrase(s, masker));
}

fn mask_phrase(phrase: &mut Phrase, masker: &Masker) {
    for piece in &mut phrase.pieces {
        match piece {
            PhrasePiece::Plain(text) => *text = masker.own_sentence(text),
            PhrasePiece::Key(Some(json)) => *json = masker.key(json),
            PhrasePiece::Key(None) => {}
        }
    }
}

fn mask_note(note: &mut Note, masker: &Masker) {
    // Notes of inputs quote whatever stood in them.
    note.text = masker.text(&note.text);
    note.source = note.source.as_ref().map(|path| masker.name(NameKind::File, path));
}
