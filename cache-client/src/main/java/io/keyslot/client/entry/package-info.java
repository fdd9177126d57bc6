// SPDX-License-Identifier: Apache-2.0
/** What caches and groups share: commands whose replies are awaited, codecs of values, stamps and failures. */
@NullMarked
package io.keyslot.client.entry;

import org.jspecify.annotations.NullMarked;
