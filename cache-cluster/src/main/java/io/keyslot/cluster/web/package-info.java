// SPDX-License-Identifier: Apache-2.0

/** A small web server for one page, based on the JDK's, with a bound on everything. Independent of caches. */
@NullMarked
package io.keyslot.cluster.web;

import org.jspecify.annotations.NullMarked;
