// SPDX-License-Identifier: Apache-2.0
/** What the callers of a cache did, counted. */
@NullMarked
package io.keyslot.client.statistics;

import org.jspecify.annotations.NullMarked;
