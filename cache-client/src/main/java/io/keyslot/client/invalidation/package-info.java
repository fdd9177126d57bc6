// SPDX-License-Identifier: Apache-2.0
/** What listeners hear of the changes of others. */
@NullMarked
package io.keyslot.client.invalidation;

import org.jspecify.annotations.NullMarked;
