// SPDX-License-Identifier: Apache-2.0

/** A small web server for one page and those who look at it: the JDK's, with a bound on everything. Knows nothing of caches. */
@NullMarked
package io.keyslot.cluster.web;

import org.jspecify.annotations.NullMarked;
