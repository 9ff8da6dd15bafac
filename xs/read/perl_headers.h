/* Perl's headers, as every file here needs them. The module is made of:
 *
 *   ReadStream.xs   what perl code sees
 *   stream.c        Devel::NYTProf::ReadStream: a profile that is being read
 *   deliver.c       the op that calls back for every chunk
 *   values.c        the values of a chunk
 *   load.c          Devel::NYTProf::Data: a whole profile as perl data; loops over the chunks
 *   files.c         fid_fileinfo, fid_srclines
 *   subs.c          sub_subinfo
 *   lines.c         fid_line_time and the like
 *   data.h          what load.c, files.c and subs.c share
 *   bound.c         the memory that a profile may take
 *
 * It is a shared object of its own, apart from the collector.
 */
#pragma once

#define PERL_NO_GET_CONTEXT
#include <EXTERN.h>
#include <perl.h>
#include <XSUB.h>
