/* Profiles built by code: chunks are written, read back and added to a profile. */
#pragma once

#include "nytprof-model.h"
#include "test/unit/support.h"

#define FILE_NAMED(fid_, name_)                                                                              \
    {                                                                                                        \
        .tag = NYTP_NEW_FID, .new_fid = {.fid = (fid_), .name = STR(name_) }                                 \
    }
#define EVAL_NAMED(fid_, in_, line_, name_)                                                                  \
    {                                                                                                        \
        .tag = NYTP_NEW_FID, .new_fid = {                                                                    \
            .fid = (fid_),                                                                                   \
            .eval_fid = (in_),                                                                               \
            .eval_line = (line_),                                                                            \
            .flags = NYTP_FID_IS_EVAL,                                                                       \
            .name = STR(name_)                                                                               \
        }                                                                                                    \
    }
#define TIME(ticks_, fid_, line_)                                                                            \
    {                                                                                                        \
        .tag = NYTP_TIME_LINE, .time = {.ticks = (ticks_), .fid = (fid_), .line = (line_) }                  \
    }
#define DISCOUNT                                                                                             \
    {                                                                                                        \
        .tag = NYTP_DISCOUNT                                                                                 \
    }
#define SUB(name_, fid_, first_, last_)                                                                      \
    {                                                                                                        \
        .tag = NYTP_SUB_INFO, .sub_info = {(fid_), STR(name_), (first_), (last_) }                           \
    }
#define XSUB(name_)                                                                                          \
    {                                                                                                        \
        .tag = NYTP_SUB_CALLERS, .sub_callers = {.called = STR(name_) }                                      \
    }
/* Times in ticks of 100 ns, the format's usual ones. */
#define ARC(caller_, fid_, line_, count_, incl_, excl_, called_)                                             \
    {                                                                                                        \
        .tag = NYTP_SUB_CALLERS, .sub_callers = {                                                            \
            (fid_),                                                                                          \
            (line_),                                                                                         \
            STR(caller_),                                                                                    \
            (count_),                                                                                        \
            (incl_)*1e-7,                                                                                    \
            (excl_)*1e-7,                                                                                    \
            0,                                                                                               \
            0,                                                                                               \
            STR(called_)                                                                                     \
        }                                                                                                    \
    }
#define SOURCE(fid_, line_, text_)                                                                           \
    {                                                                                                        \
        .tag = NYTP_SRC_LINE, .src_line = {.fid = (fid_), .line = (line_), .text = STR(text_) }              \
    }
#define ATTRIBUTE(key_, value_)                                                                              \
    {                                                                                                        \
        .tag = NYTP_ATTRIBUTE, .attribute = { STR(key_), STR(value_) }                                       \
    }

/* The profile that a stream of the chunks yields, with a header before them; it is the caller's. */
nytp_profile *profile_of(const nytp_chunk *chunks, size_t count);

/* count is COUNT(chunks) of an array. */
#define PROFILE(chunks) profile_of(chunks, COUNT(chunks))
