#include "session/checkpoint.h"

#include "heap/heap.h"
#include "record/coroutines.h"
#include "session/marks.h"
#include "session/process.h"
#include "hot.h"

static void save_all(pTHX_ prof *p, uint64_t now)
{
    if (prof_heap_runs())
        prof_heap_look();
    prof_session_save(aTHX_ p, now);
    prof_probe_schedule(&p->probe, now);
}

static void save(pTHX_ prof *p, uint64_t now)
{
    prof_stop_if_process_ends(p);
    dSAVE_ERRNO;
    prof_probe_note_unusual(p);
    if (!prof_notice_fork(aTHX_ p)) {
        prof_probe *probe = &p->probe;
        const bool went_back = now < probe->checkpoint_at;
        const bool is_due = now >= probe->save_at || went_back;
        if (is_due && (prof_clock_refine(&probe->clock, now - probe->overhead) || went_back))
            prof_session_restart(&p->session, now);
        if (p->session.resumes && p->out != NULL)
            prof_session_resume(p);
        if (p->enabled.any) { /* otherwise a checkpoint remains due (probe.h) */
            p->process.saves = true;
            prof_waits_look_again(p, prof_active_ticks(p, now));
            prof_clock_marks_write(p, now, false);
            prof_memory_marks_write(aTHX_ p, now, false);
            prof_probe_wait(probe);
            if (is_due)
                save_all(aTHX_ p, now);
            prof_waits_leave_out(p, prof_active_ticks(p, now));
            p->process.saves = false;
        }
    }
    RESTORE_ERRNO;
}

bool prof_checkpoint(pTHX_ prof *p, uint64_t now)
{
    if (!prof_before_checkpoint(p, now))
        save(aTHX_ p, now);
    prof_coroutines_switch(aTHX_ p, now);
    return p->enabled.any;
}
