/* Which library deflates and which inflates.
 *
 * Profiles of pod2man (perlfunc.pod, 33 MB of chunks) and json_pp (19 MB), on one core:
 *
 *                         pod2man              json_pp
 *     isa-l 1             5.97 MB   705 MB/s   1.68 MB  1091 MB/s
 *     isa-l 2             5.87 MB   708 MB/s   1.68 MB  1070 MB/s
 *     zlib 2              5.92 MB   136 MB/s   1.46 MB   190 MB/s
 *     zlib 4              4.84 MB   102 MB/s   1.21 MB   130 MB/s
 *     zlib 5              4.42 MB    87 MB/s   0.98 MB   145 MB/s
 *     zlib 6              4.15 MB    54 MB/s   0.76 MB    96 MB/s
 *     zlib 7              4.10 MB    44 MB/s   0.72 MB    73 MB/s
 *     zlib 9              4.03 MB    12 MB/s   0.63 MB    19 MB/s
 *
 * libdeflate, 256 KiB at a time, and what zlib and isa-l make of the same: chunks of perltidy (37 MB) and of
 * a program that only calls (26 MB), which another thread makes at up to 400 MB/s:
 *
 *                         perltidy             calls
 *     isa-l 2             5.88 MB   700 MB/s   1.62 MB  2000 MB/s
 *     libdeflate 4        4.46 MB   242 MB/s   0.99 MB   443 MB/s
 *     libdeflate 6        4.06 MB   154 MB/s   0.76 MB   300 MB/s
 *     zlib 6              3.84 MB    62 MB/s   0.62 MB   127 MB/s
 *
 * If the first 8 MB of these are flushed each 4 KiB, zlib's level 6 makes 0.27 and 0.43 MB of them,
 * libdeflate's 0.50 and 0.85 MB.
 */
#include "bytes/codec.h"

/* At levels 2 to 6 the caller chooses; below, speed is asked for, and above, size. */
static bool is_fast(int level, enum nytp_deflate_with with)
{
    return level < 2 || (level <= 6 && with == NYTP_DEFLATE_FAST) ||
           (level == 6 && with == NYTP_DEFLATE_ADAPTABLE);
}

/* Returns the library for a level, or NULL if it is not there. */
static const nytp_deflater *library_of(int level, enum nytp_deflate_with with)
{
    if (is_fast(level, with))
        return nytp_isal_deflater;
    return with == NYTP_DEFLATE_STRONG && level <= 6 ? nytp_libdeflate_deflater : NULL;
}

/* Level 2 of isa-l takes hardly longer than its level 1; its level 3 takes four times as long to save 6 %. */
bool nytp_codec_start(nytp_codec *codec, int level, enum nytp_deflate_with with)
{
    const nytp_deflater *library = library_of(level, with);
    codec->library = library != NULL ? library : &nytp_zlib_deflater;
    if (is_fast(level, with))
        level = library == NULL || level < 2 ? 1 : 2;
    codec->state = codec->library->start(level);
    return codec->state != NULL;
}

bool nytp_codec_start_beside(nytp_codec *codec, nytp_deflate_effort effort)
{
    static const int levels[NYTP_EFFORTS] = {
        [NYTP_EFFORT_MEDIUM] = 4, [NYTP_EFFORT_HIGH] = 6, [NYTP_EFFORT_HIGHEST] = 6};
    codec->library = effort == NYTP_EFFORT_HIGHEST ? &nytp_zlib_deflater : nytp_libdeflate_deflater;
    if (codec->library == NULL)
        return true;
    codec->state = codec->library->start(levels[effort]);
    return codec->state != NULL;
}

const nytp_inflater *nytp_inflater_of(enum nytp_inflate_with with)
{
    if (with == NYTP_INFLATE_ISAL || (with == NYTP_INFLATE_BEST && nytp_isal_inflater != NULL))
        return nytp_isal_inflater;
    return &nytp_zlib_inflater;
}

bool nytp_inflate_has(enum nytp_inflate_with with)
{
    return nytp_inflater_of(with) != NULL;
}
