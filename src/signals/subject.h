// Which names of a record say what it speaks of.
#pragma once

#include <string_view>

#include "model/record.h"
#include "model/signal.h"

namespace gpumedic::signals {

/// Takes a capture or field whose name is one of a subject's (pci, uuid, index, ...). False when the name is another,
/// or the value cannot be read as what the name promises: then it stays an ordinary field.
bool take_subject_name(std::string_view name, std::string_view value, model::Subject& subject);

/// What the record's type alone says: the VM of a virt line, the pod or VM of an event.
void take_record_subject(const model::Record& record, model::Subject& subject);

}  // namespace gpumedic::signals
