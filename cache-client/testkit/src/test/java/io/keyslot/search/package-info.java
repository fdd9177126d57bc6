// SPDX-License-Identifier: Apache-2.0
/** Random programs of all calls of a cache, interleaved and with faults on virtual time, against a model of one register. */
@NullMarked
package io.keyslot.search;

import org.jspecify.annotations.NullMarked;
