// SPDX-License-Identifier: Apache-2.0
/** Groups: handles of what belongs to one root, and what is done to it together. */
@NullMarked
package io.keyslot.client.group;

import org.jspecify.annotations.NullMarked;
