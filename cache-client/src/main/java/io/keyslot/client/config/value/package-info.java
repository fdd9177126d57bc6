// SPDX-License-Identifier: Apache-2.0
/** How the text of a setting is read: types of values, with the rule that a wrong one breaks; pure. */
@NullMarked
package io.keyslot.client.config.value;

import org.jspecify.annotations.NullMarked;
