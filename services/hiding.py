"""Every rule that hides something from a person, so that blind work stays blind. Nothing is decided here.

Each rule says from whom what is hidden, until when, and which functions decide. What a person has seen, and may no
longer work on blind, is recorded by `services.acting.ReadContext.record_exposure`; the last rules are the queues that
no longer offer that work. Nothing is hidden from the command line: it can read the store's file.
`tests/services/test_hiding.py` compares rules, service functions, routes, pages, exports and desks; a new one without
its entry fails there.

drafts
    from: everyone but its annotator (the owner's export of drafts names them)
    what: a transcription that is not submitted
    until: it is submitted
    by: graphs.visibility.seen_graph, transcription.reading.require_visible, transcription.lists.submitted_work
colleagues' work
    from: annotators and experts
    what: others' transcriptions, verdicts on figures, names and pseudonyms
    until: never
    by: graphs.visibility.visibility_of, transcription.reading.require_visible, overview.overview
work on the viewer's own figure
    from: the person who is drawing the figure, in any role
    what: others' transcriptions, ground truth and agreement of it
    until: their own is submitted
    by: graphs.visibility.refuse_at_work, agreement.reading.measured_pairs, transcription.declining.declined_figures
whose transcription
    from: the person who adjudicates the figure
    what: its transcriptions under names or pseudonyms, and which was first
    until: the adjudication is finished
    by: graphs.visibility.refuse_at_work, agreement.reading.measured_pairs, adjudication.editor.desk
names before the ruling
    from: people who may adjudicate the figure, unless they assign work and know from there who draws what
    what: names of its annotators, and pseudonyms in titles: in lists, comments and the last events
    until: its adjudication is finished
    by: pseudonyms.unnamed_figures, graphs.visibility.unnamed_graphs
imports
    from: the person who draws the figure, and annotators who may still be asked to
    what: imported graphs of it, or with three of its names
    until: their transcription is submitted, or they can no longer be asked
    by: graphs.hidden_imports.hidden_imports, graphs.hidden_imports.not_yet_seen
proposals
    from: the person who draws a figure in the share without proposals, as a second, or for practice
    what: edges that the program or a model read in the figure
    until: they submit
    by: transcription.proposal_settings.withheld_from
others' scores
    from: the person who scores the triplet, or may still be given it
    what: scores and reasons of critics and of other experts
    until: they submit or skip it
    by: agreement.rater_material.still_blind, triplets.claims.open_to_viewer, triplets.claims.unfinished_of_viewer
flags of a triplet
    from: the person who is scoring the triplet; who saw one is not given the triplet
    what: others' flags of a bad sample made of it, in lists, on answers and in exports of runs; tables count them all
    until: they submit or skip it
    by: runs.sample_flags.shown_flags
others' levels
    from: the person who labels the text's nodes
    what: levels of others and of models
    until: they submit
    by: texts.work_kind.TextWork
graph of a text
    from: the person who builds the graph of the text
    what: the true graph, the figure and models' answers
    until: they submit
    by: readings.work_kind.TextGraphWork
verdict of an item
    from: the person who labels the item on their sheet
    what: labels, reasoning, quotes and overrides of judges on it
    until: their own labels are set and compared
    by: verdicts.acts.shows_verdict, verdicts.reading.sheet
verdicts of a section
    from: the person who has an open sheet of it
    what: what judges say of that section of any answer to the same text, in every run: in lists, searches, links,
        exports and scores of fewer than ten samples; flags of a bad sample with it
    until: all items of the sheet are compared, or it is submitted or skipped
    by: runs.judge_exposure.withheld
codes of a list
    from: everyone but the person who gave them
    what: codes, notes and decisions on proposed codes, on the screen, in agreement, differences and the effect of
        proposals, in tables by code and in files
    until: all people of the list have submitted; nobody else codes its answers
    by: failures.codes.answer_codes, failures.coding.agreement, failures.coding.differences,
        failures.proposal_effect.effect, results.frame.frame
judged models
    from: the person who has an open sheet about an answer, where the study hides judged models
    what: the model's name, on the sheet and next to the answers to the same sample, in every run
    until: all items of the sheet are compared, or it is submitted or skipped
    by: runs.judge_exposure.withheld, verdicts.reading.sheet
no longer offered: figures
    from: the person who saw others' work on the figure, an import of it, or a model's reading of it
    what: the figure's place in the queue
    until: never
    by: graphs.hidden_imports.note_look, runs.exports.noted_truths.note_reading, runs.exports.noted_truths.note_truths
no longer offered: verdicts
    from: the person who saw what a judge said of all items of a sheet, or of the same ones of an equal answer
    what: the sheet's place in the queue, and resuming it
    until: never
    by: verdicts.work_kind.SheetWork
"""
